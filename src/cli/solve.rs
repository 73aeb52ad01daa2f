//! `tabulae solve`
use std::time::Instant;
use crate::{engines::{Stop, SolveSettings, solve}, games::{Game, Side, tablaaza::Position}};
use super::Failure;
#[derive(Debug, clap::Args)]
pub(super) struct Args { 
    #[arg(long)] sample: Option<std::path::PathBuf>,
    #[arg(long, default_value_t = 1000)] count: usize,
    #[arg(long, default_value_t = 256)] memory: usize,
}
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let text = std::fs::read_to_string(args.sample.as_ref().unwrap()).unwrap();
    let mut all = vec![]; let mut wins = 0; let mut nodes = 0;
    for line in text.lines().take(args.count) {
        let mut x = line.split(' ').map(|x| x.parse::<u64>().unwrap()); let (own, opp) = (x.next().unwrap(), x.next().unwrap());
        let free = own | opp; let red = own & crate::games::tablaaza::LAKES.coloured(Side::First) != 0;
        let mut t = String::new();
        for r in (0..7).rev() { for f in 0..8 { let b = r * 8 + f; let bit = 1u64 << b; t.push(if crate::games::tablaaza::LAKES.playing() & bit == 0 { '~' } else if free & bit != 0 { '1' } else if crate::games::tablaaza::LAKES.coloured(Side::First) & bit != 0 { 'r' } else { 'g' }); } if r > 0 { t.push('/'); } }
        t += if red { " r" } else { " g" };
        let p = Position::parse(&t).unwrap();
        let s = SolveSettings { memory_mib: args.memory, threads: 1, told_from: 99 };
        let c = Instant::now();
        let r = solve(&p, s, &[], true, &Stop::default(), &mut |_| ());
        all.push((c.elapsed().as_millis(), r.nodes)); nodes += r.nodes; wins += (r.winner == Some(p.side())) as u32;
    }
    all.sort();
    println!("{} wins {wins} nodes {nodes} med {:?} p95 {:?} max {:?} total {}", all.len(), all[all.len()/2], all[all.len()*95/100], all[all.len()-1], all.iter().map(|x| x.0).sum::<u128>());
    Ok(())
}
