//! Reads a record, comments each capture, and writes it again.
//!
//! `cargo run -p tabulae-records --example annotate_record -- FILE`

use tabulae_games::Event;
use tabulae_records::{Record, RecordError, read};

const SAMPLE: &str = "[Rules \"tablut/ashton\"]

1. e3-b3 h5-h7 2. e4-f4 e2-e4 3. d5-d4xe4 *
";

fn annotate(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut records = read(text)?;
    for record in &mut records {
        for ply in 1..=record.history().len() {
            let is_capture = |event: &Event| matches!(event, Event::Captured { .. });
            let captures =
                record.history().events(ply).iter().filter(|event| is_capture(event)).count();
            if captures > 0 {
                record.comment(ply, &format!("captures {captures}"));
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
    assert_eq!(records[0].comments(5), ["captures 1"]);
    assert_eq!(read(&records[0].to_string()), Ok(records));
}
