//! Target: lines sent to `tabulae engine`.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::runner::{Target, files};

/// One engine that receives all inputs.
pub(crate) struct UgiLines {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    errors: File,
}

impl UgiLines {
    pub(crate) fn start() -> Self {
        let errors = tempfile::tempfile().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.try_clone().unwrap())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output), errors }
    }

    fn read_stderr(&mut self) -> String {
        let mut text = String::new();
        self.errors.rewind().unwrap();
        self.errors.read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for UgiLines {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Whether a line may be sent: it does not quit or ask for much memory or many
/// threads.
fn is_harmless(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let number = || line.split_whitespace().last().and_then(|word| word.parse::<u64>().ok());
    let greedy = (line.contains("hash") || line.contains("threads"))
        && number().is_none_or(|number| number > 8);
    line.split_whitespace().next() != Some("quit") && !greedy
}

impl Target for UgiLines {
    fn seeds(&self) -> Vec<Vec<u8>> {
        files("fuzz/corpus", ".ugi")
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "\ngo depth 1\n",
            "go infinite\n",
            "go ponder ",
            "ponderhit\n",
            "go p1time 5 p1inc 1 p2time 5 p2inc 1",
            "p1time",
            "p2time 0",
            "p1inc",
            "movestogo 1",
            "go perft 1\n",
            "perft",
            "MultiPV value 3",
            "Adapt",
            "OwnBook",
            "false",
            "stop\n",
            "position",
            "startpos",
            "fen",
            "moves",
            "t1",
            "t0",
            "e4-f4",
            "setoption name ",
            " value ",
            "Rules",
            "Level",
            "master",
            "tablan",
            "tablut/linnaeus",
            "query ",
            "legal",
            "events",
            "fen",
            "movetime 1",
            "nodes 1",
            "isready\n",
            "uginewgame\n",
            "9/9/9/9/4K4/9/9/9/9 w",
            "\n",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        let mut searches = 0;
        for line in input.split(|byte| *byte == b'\n') {
            let text = String::from_utf8_lossy(line);
            if is_harmless(&text) {
                searches += usize::from(text.split_whitespace().next() == Some("go"));
                self.input.write_all(line).unwrap();
                self.input.write_all(b"\n").unwrap();
            }
        }
        // The engine still stops, is ready and takes a position.
        self.input.write_all(b"stop\nisready\nposition startpos\nquery over?\n").unwrap();
        let (mut kinds, mut line, mut answers) = (Vec::new(), String::new(), 0);
        loop {
            line.clear();
            let length = self.output.read_line(&mut line).unwrap();
            assert!(length > 0, "ended: {}", self.read_stderr());
            let line = line.strip_suffix('\n').unwrap();
            let word = line.split(' ').next().unwrap_or_default();
            let known =
                ["id", "option", "ugiok", "readyok", "info", "bestmove", "response", "error"];
            assert!(known.contains(&word), "{line}");
            assert!(!line.contains(char::is_control), "{line:?}");
            if line.starts_with("error unknown query 'over?'") {
                break;
            }
            answers += usize::from(word == "bestmove");
            if word == "error" {
                kinds.push(line.split('\'').next().unwrap_or_default().to_owned());
            } else if !matches!(word, "info" | "id" | "option") {
                kinds.push(word.to_owned());
            }
        }
        assert!(kinds.iter().any(|kind| kind == "readyok"));
        assert_eq!(answers, searches, "one bestmove for each go");
        kinds.sort();
        kinds.dedup();
        kinds.join(" ")
    }

    fn finish(&mut self) {
        let errors = self.read_stderr();
        assert!(errors.is_empty(), "{errors}");
        assert!(self.child.try_wait().unwrap().is_none(), "still there");
    }
}
