CREATE TABLE games (
    id TEXT PRIMARY KEY,
    -- The server's part of all throws.
    secret BYTEA NOT NULL,
    -- SHA-256 of the tokens of the first seat, the second seat and the spectators.
    first_token BYTEA NOT NULL,
    second_token BYTEA NOT NULL,
    watch_token BYTEA NOT NULL
);

CREATE TABLE entries (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (game, number)
);

-- When a server last ran, and the times in which none did; in ms since 1970.
CREATE TABLE beats (id BIGINT PRIMARY KEY, at BIGINT NOT NULL);
CREATE TABLE outages (started BIGINT PRIMARY KEY, ended BIGINT NOT NULL);
