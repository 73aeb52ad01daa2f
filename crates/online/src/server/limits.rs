//! How much one connection, one address and all together may ask for.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// So many at once, and so many a second.
#[derive(Debug)]
pub(super) struct Bucket {
    left: f64,
    most: f64,
    per_second: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(super) fn new(most: f64, per_second: f64) -> Self {
        Self { left: most, most, per_second, filled: Instant::now() }
    }

    /// Takes one out; returns whether there was one.
    pub(super) fn take(&mut self) -> bool {
        let now = Instant::now();
        let new = now.duration_since(self.filled).as_secs_f64() * self.per_second;
        self.filled = now;
        self.left = (self.left + new).min(self.most);
        let has_one = self.left >= 1.0;
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }

    fn is_full(&self) -> bool {
        let new = self.filled.elapsed().as_secs_f64() * self.per_second;
        self.left + new >= self.most
    }
}

/// So many connections may be open for each that may play: a page loads several files at
/// once.
const FOR_EACH_PLAYER: usize = 2;

/// What an address has open, and what it may still ask for.
struct Address {
    connections: usize,
    /// Those of them in games.
    players: usize,
    new_games: Bucket,
    greetings: Bucket,
    /// Messages about games, each of which may be stored.
    actions: Bucket,
}

/// The limits of addresses and of all together.
pub(super) struct Limits {
    max_players: usize,
    max_players_per_address: usize,
    max_connections: usize,
    /// Whether connections come from a proxy, so that requests alone tell their addresses.
    is_behind_proxy: bool,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    connections: usize,
    players: usize,
    addresses: HashMap<IpAddr, Address>,
}

/// A connection that counts until it is dropped.
pub(super) struct Admission {
    limits: Arc<Limits>,
    /// The address for which it counts, if it counts for one.
    address: Option<IpAddr>,
    is_player: bool,
}

impl Limits {
    /// The limits of players, of whom each needs a connection, for a system that has room
    /// for so many connections.
    pub(super) fn new(
        max_players: usize,
        max_players_per_address: usize,
        room: usize,
        is_behind_proxy: bool,
    ) -> Self {
        let max_connections = max_players.saturating_mul(FOR_EACH_PLAYER).min(room);
        Self {
            max_players,
            max_players_per_address,
            max_connections,
            is_behind_proxy,
            open: Mutex::default(),
        }
    }

    fn address<'a>(&self, open: &'a mut Open, address: IpAddr) -> &'a mut Address {
        let most = f64::from(u32::try_from(self.max_players_per_address).unwrap_or(u32::MAX));
        open.addresses.entry(address).or_insert_with(|| Address {
            connections: 0,
            players: 0,
            // As many at once as players, and one in 2 s after that.
            new_games: Bucket::new(most, 0.5),
            // All players may connect again at once, and again soon after that.
            greetings: Bucket::new(2.0 * most, most / 16.0),
            // One a second for each player: people play slower than that.
            actions: Bucket::new(30.0 * most, most),
        })
    }

    /// Counts a connection; `None` if there are too many.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admission> {
        let most = self.max_players_per_address.saturating_mul(FOR_EACH_PLAYER);
        let address = (!self.is_behind_proxy).then(|| network(address));
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.connections >= self.max_connections {
            return None;
        }
        if let Some(address) = address {
            let entry = self.address(&mut open, address);
            if entry.connections >= most {
                return None;
            }
            entry.connections += 1;
        }
        open.connections += 1;
        Some(Admission { limits: Arc::clone(self), address, is_player: false })
    }

    /// Counts a connection that enters a game; `None` if there are too many.
    pub(super) fn admit_player(self: &Arc<Self>, address: IpAddr) -> Option<Admission> {
        let address = network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = open.players >= self.max_players;
        let entry = self.address(&mut open, address);
        if is_full || entry.players >= self.max_players_per_address {
            return None;
        }
        entry.players += 1;
        open.players += 1;
        Some(Admission { limits: Arc::clone(self), address: Some(address), is_player: true })
    }
}

impl Admission {
    /// Counts a new game; returns whether the address may create one.
    pub(super) fn may_create(&self) -> bool {
        self.take(|address| &mut address.new_games)
    }

    /// Counts a greeting; returns whether the address may enter a game.
    pub(super) fn may_enter(&self) -> bool {
        self.take(|address| &mut address.greetings)
    }

    /// Counts a message about a game; returns whether the address may send it.
    pub(super) fn may_act(&self) -> bool {
        self.take(|address| &mut address.actions)
    }

    fn take(&self, bucket: impl Fn(&mut Address) -> &mut Bucket) -> bool {
        let mut open = self.limits.open.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = self.address.and_then(|address| open.addresses.get_mut(&address));
        entry.is_some_and(|entry| bucket(entry).take())
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut open = self.limits.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = &mut *open;
        let entry = self.address.and_then(|address| open.addresses.get_mut(&address));
        let counts = if self.is_player {
            [Some(&mut open.players), entry.map(|entry| &mut entry.players)]
        } else {
            [Some(&mut open.connections), entry.map(|entry| &mut entry.connections)]
        };
        for count in counts.into_iter().flatten() {
            *count = count.saturating_sub(1);
        }
        // What is worth remembering no longer.
        if open.addresses.len() > 1_000 {
            open.addresses.retain(|_, address| {
                address.connections > 0
                    || address.players > 0
                    || !address.new_games.is_full()
                    || !address.greetings.is_full()
                    || !address.actions.is_full()
            });
        }
    }
}

/// The address that is counted: of IPv6 the network of 56 bits that one customer gets.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6([a, b, c, d & 0xff00, 0, 0, 0, 0].into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn players_are_counted_until_they_end() {
        let limits = Arc::new(Limits::new(3, 2, usize::MAX, false));
        let of = |text| limits.admit_player(address(text));
        let (one, two) = (of("10.0.0.1"), of("::ffff:10.0.0.1"));
        assert!(one.is_some() && two.is_some());
        assert!(of("10.0.0.1").is_none(), "two from this address");
        let three = of("2001:db8::1");
        assert!(three.is_some());
        assert!(of("10.0.0.2").is_none(), "three in all");
        drop(two);
        assert!(of("10.0.0.1").is_some());
    }

    #[test]
    fn connections_are_counted_before_they_say_anything() {
        let limits = Arc::new(Limits::new(3, 1, 5, false));
        let of = |text| limits.admit(address(text));
        let two = [of("10.0.0.1"), of("10.0.0.1")];
        assert!(two.iter().all(Option::is_some));
        assert!(of("10.0.0.1").is_none(), "two from this address");
        let others = ["10.0.0.2", "10.0.0.3", "10.0.0.4"].map(of);
        assert!(others.iter().all(Option::is_some));
        assert!(of("10.0.0.5").is_none(), "there is room for five");
        drop(two);
        assert!(of("10.0.0.1").is_some());
        // All connections are the proxy's.
        let proxied = Arc::new(Limits::new(3, 1, usize::MAX, true));
        let all: Vec<_> = (0..6).map(|_| proxied.admit(address("127.0.0.1"))).collect();
        assert!(all.iter().all(Option::is_some));
        assert!(proxied.admit(address("127.0.0.1")).is_none());
    }

    #[test]
    fn an_address_may_greet_so_often() {
        let limits = Arc::new(Limits::new(10, 2, usize::MAX, false));
        let player = limits.admit_player(address("10.0.0.1")).expect("a place");
        assert_eq!([(); 5].map(|()| player.may_enter()), [true, true, true, true, false]);
        let other = limits.admit_player(address("10.0.0.2")).expect("a place");
        assert!(other.may_enter());
    }

    #[test]
    fn the_network_of_a_customer_is_one_address() {
        let of = |text| network(address(text));
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:ff::2:3"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:100::1"));
    }

    #[test]
    fn a_bucket_is_empty_after_so_many() {
        let mut bucket = Bucket::new(3.0, 0.0);
        assert_eq!([(); 4].map(|()| bucket.take()), [true, true, true, false]);
    }
}
