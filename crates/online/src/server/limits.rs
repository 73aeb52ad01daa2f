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

/// The connections of an address, and how many games it may create.
struct Address {
    connections: usize,
    games: Bucket,
}

/// The limits of addresses.
pub(super) struct Limits {
    max_connections: usize,
    max_per_address: usize,
    addresses: Mutex<(usize, HashMap<IpAddr, Address>)>,
}

/// A connection that counts until it is dropped.
pub(super) struct Admission {
    limits: Arc<Limits>,
    address: IpAddr,
}

impl Limits {
    pub(super) fn new(max_connections: usize, max_per_address: usize) -> Self {
        Self { max_connections, max_per_address, addresses: Mutex::default() }
    }

    /// Counts a connection; `None` if there are too many.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admission> {
        let address = network(address);
        let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, by_address) = &mut *addresses;
        // New games: as many at once as connections, and one in 2 s after that.
        let most = f64::from(u32::try_from(self.max_per_address).unwrap_or(u32::MAX));
        let new = || Address { connections: 0, games: Bucket::new(most, 0.5) };
        let entry = by_address.entry(address).or_insert_with(new);
        if *all >= self.max_connections || entry.connections >= self.max_per_address {
            return None;
        }
        entry.connections += 1;
        *all += 1;
        Some(Admission { limits: Arc::clone(self), address })
    }
}

impl Admission {
    /// Counts a new game; returns whether the address may create one.
    pub(super) fn may_create(&self) -> bool {
        let addresses = self.limits.addresses.lock();
        let mut addresses = addresses.unwrap_or_else(PoisonError::into_inner);
        addresses.1.get_mut(&self.address).is_some_and(|it| it.games.take())
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let addresses = self.limits.addresses.lock();
        let mut addresses = addresses.unwrap_or_else(PoisonError::into_inner);
        let (all, by_address) = &mut *addresses;
        *all = all.saturating_sub(1);
        if let Some(entry) = by_address.get_mut(&self.address) {
            entry.connections = entry.connections.saturating_sub(1);
        }
        // What is worth remembering no longer.
        if by_address.len() > 1_000 {
            by_address.retain(|_, it| it.connections > 0 || !it.games.is_full());
        }
    }
}

/// The address that is counted: of IPv6 the network of 64 bits that one customer gets.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6([a, b, c, d, 0, 0, 0, 0].into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_until_they_end() {
        let limits = Arc::new(Limits::new(3, 2));
        let of = |text: &str| limits.admit(text.parse().expect("an address"));
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
    fn networks_of_ipv6_are_one_address() {
        let of = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::2:3"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
    }

    #[test]
    fn a_bucket_is_empty_after_so_many() {
        let mut bucket = Bucket::new(3.0, 0.0);
        assert_eq!([(); 4].map(|()| bucket.take()), [true, true, true, false]);
    }
}
