//! Reads a record, comments each capture, and writes it again.
//!
//! `cargo run -p tabulae-records --example annotate_record -- FILE`

use tabulae_games::Event;
use tabulae_records::{Record, RecordError, read};

const SAMPLE: &str = "[Rules \"tablut/berkeley\"]\n\n1. d1-d3 e4-f4 2. f1-f3 *\n";

fn annotate(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut records = read(text)?;
    for record in &mut records {
        for ply in 0..record.history().len() {
            let is_capture = |event: &Event| matches!(event, Event::Captured { .. });
            let captures = record.history().events(ply).iter().filter(|it| is_capture(it)).count();
            if captures > 0 {
                record.comment(ply + 1, &format!("captures {captures}"));
            }
        }
    }
    Ok(records)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).map(std::fs::read_to_string).transpose()?;
    for record in annotate(text.as_deref().unwrap_or(SAMPLE))? {
        println!("{record}");
    }
    Ok(())
}

#[test]
fn what_it_writes_reads_back() {
    let records = annotate(SAMPLE).expect("a record");
    assert_eq!(read(&records[0].to_string()), Ok(records));
}
