CREATE TABLE games (
    id TEXT PRIMARY KEY NOT NULL,
    -- The server's part of all throws.
    secret BLOB NOT NULL,
    -- SHA-256 of the tokens of the first seat, the second seat and the spectators.
    first_token BLOB NOT NULL,
    second_token BLOB NOT NULL,
    watch_token BLOB NOT NULL
);

CREATE TABLE entries (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;

-- When a server last ran, and the times in which none did; in ms since 1970.
CREATE TABLE beats (id INTEGER PRIMARY KEY NOT NULL, at BIGINT NOT NULL);
CREATE TABLE outages (started BIGINT PRIMARY KEY NOT NULL, ended BIGINT NOT NULL);
