import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SESSION = 'crates/ingest/src/session.rs';
const SINK = 'crates/ingest/src/sink.rs';
const MANIFEST = 'crates/ingest/Cargo.toml';
const TEST = 'crates/ingest/tests/zerstueckelt.rs';
const LOG = 'logs/ingest.log';

const CARGO = `#!/bin/sh
# Stands in for cargo: knows the state of the ingest crate by its sources.
case "$1" in
  clippy)
    if grep -qE 'unwrap\\(|expect\\(' ${SESSION}; then echo "error: used unwrap() on a Result value"; exit 1; fi
    echo "    Finished dev profile, 0 warnings"; exit 0 ;;
  tree) echo "tokio v1.38.0"; echo "tokio-util v0.7.11 (features: io)"; echo "futures-util v0.3.30"; exit 0 ;;
  test) ;;
  *) echo "error: no such command"; exit 101 ;;
esac
if grep -q FramedRead ${SESSION} && ! grep -q codec ${MANIFEST}; then
  echo "error[E0432]: unresolved import tokio_util::codec, the item is gated behind the codec feature"; exit 101
fi
if [ -f ${TEST} ] && ! grep -q FramedRead ${SESSION}; then
  echo "test tick_mitten_im_frame ... FAILED"
  echo "  left: 199 frames, right: 200 frames, then FrameTooLarge(1937006964)"
  exit 101
fi
[ -f ${TEST} ] && echo "test tick_mitten_im_frame ... ok"
echo "test result: ok. 41 passed; 0 failed"
`;

export const framesVerschwindenDe: SurveySession = {
  name: 'frames verschwinden de',
  about:
    'Messwerte gehen verloren; Mobilfunk und ein voller Kanal werden verdächtigt, es ist ein abgebrochenes Future in select!.',
  kind: 'bug hunt',
  language: 'de',
  ecosystem: 'rust',
  files: {
    'Cargo.toml': '[workspace]\nmembers = ["crates/ingest", "crates/api"]\n',
    [MANIFEST]: `[package]
name = "ingest"
version = "2.8.1"

[dependencies]
tokio = { version = "1.38", features = ["net", "io-util", "time", "macros"] }
tokio-util = { version = "0.7", features = ["io"] }
futures-util = "0.3"
`,
    [SESSION]: `use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::interval;

use crate::{Frame, IngestError, Sink};

pub async fn run(mut socket: TcpStream, mut sink: Sink) -> Result<(), IngestError> {
    let mut tick = interval(Duration::from_secs(5));
    loop {
        tokio::select! {
            frame = read_frame(&mut socket) => sink.push(frame?).await?,
            _ = tick.tick() => sink.flush().await?,
        }
    }
}

async fn read_frame(socket: &mut TcpStream) -> Result<Frame, IngestError> {
    let len = socket.read_u32().await?;
    let mut buf = vec![0; len as usize];
    socket.read_exact(&mut buf).await?;
    Frame::decode(&buf)
}
`,
    [SINK]: `pub struct Sink {
    tx: tokio::sync::mpsc::Sender<Frame>,
    dropped: u64,
}

impl Sink {
    pub async fn push(&mut self, frame: Frame) -> Result<(), IngestError> {
        if self.tx.try_send(frame).is_err() {
            self.dropped += 1;
        }
        Ok(())
    }
}
`,
    [LOG]: `08:00:05 gw=pegel-0142 link=lte frames=611 dropped=0
08:00:10 gw=pegel-0007 link=kabel error=FrameTooLarge(1380532) closing
08:00:10 gw=pegel-0142 link=lte error=FrameTooLarge(90177536) closing
08:00:15 gw=pegel-0391 link=kabel error=FrameTooLarge(16909060) closing
08:00:20 gw=pegel-0142 link=lte frames=598 dropped=0
08:00:25 gw=pegel-0218 link=kabel error=FrameTooLarge(727379968) closing
08:00:30 gw=pegel-0007 link=kabel frames=604 dropped=0
`,
  },
  programs: { cargo: CARGO },
  prompts: [
    'moin! seit 2.8 fehlen uns messwerte von den pegeln, etwa 3 promille sagt die auswertung. ich tippe auf LTE, die meisten gateways hängen ja am mobilfunk. log liegt in logs/ingest.log. schau bitte mal rein, aber erst mal nichts ändern',
    'sauber gefunden. dann bau den fix. für die ingest-crate gilt: kein unwrap und kein expect, auch nicht in hilfsfunktionen, ein panic reißt alle verbindungen des knotens mit. und neue dependencies nur nach freigabe durch Jonas. ein frame darf höchstens 64 KiB haben, alles darüber: verbindung zu',
    'muss mich korrigieren, hab grad mit der firmware gesprochen: die 64 gelten nur für die alten 1.x-gateways. die 2er schicken nach einem funkloch sammelframes bis 256 KiB. stell das limit bitte für alle auf 256',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('Moin, ich sehe mir zuerst das Log und den Lesepfad an.'), read(LOG), read(SESSION)],
        [
          run(
            "grep FrameTooLarge logs/ingest.log | grep -o 'link=[a-z]*' | sort | uniq -c",
            'Fehler nach Anbindung',
            '3 link=kabel',
          ),
        ],
        [
          say(
            'Mobilfunk scheidet aus: drei der vier Abbrüche stammen von Gateways am Kabel. Nächster Verdacht wäre der Kanal zur Datenbank, weil `try_send` bei vollem Puffer verwirft.',
          ),
          read(SINK),
          run(
            "grep -o 'dropped=[0-9]*' logs/ingest.log | sort | uniq -c",
            'Wurde im Kanal verworfen?',
            '3 dropped=0',
          ),
        ],
        [
          run('cargo test -p ingest', 'Vorhandene Tests', '41 passed'),
          run('git log --oneline -3 -- crates/ingest', 'Letzte Änderungen an der Crate'),
        ],
        [
          say(`## Ursache

Weder LTE noch der Kanal (der Zähler \`dropped\` steht überall auf 0). Es ist das \`tokio::select!\` in \`session.rs\`: \`read_frame\` ist nicht cancel-safe. Feuert der 5-Sekunden-Tick, während \`read_exact\` mitten in einem Frame steckt, verwirft select! das Future samt der schon gelesenen Bytes. Der nächste Durchlauf hält Nutzdaten für ein Längenfeld, daher die absurden Werte in \`FrameTooLarge\` und der Verbindungsabbruch.

## Warum erst seit 2.8

Der Tick zum Flushen kam mit 2.8 dazu, vorher gab es kein select!. Dass die Tests grün sind, liegt daran, dass sie jeden Frame in einem Stück schreiben; der Fehler braucht zerstückelte Pakete.

## Vorschlag

\`FramedRead\` mit \`LengthDelimitedCodec\` aus tokio-util. Der Puffer lebt dann außerhalb des Futures, \`next()\` ist cancel-safe.

Geändert habe ich nichts. Soll ich loslegen?`),
        ],
        [
          say('Erst der Test, der einen Tick mitten in den Frame legt.'),
          write(
            TEST,
            `//! Writes every frame in two pieces with a tick in between.
#[tokio::test(start_paused = true)]
async fn tick_mitten_im_frame() {
    let (gateway, server) = tokio::io::duplex(64);
    let got = common::collect(server, 200);
    common::send_in_pieces(gateway, 200).await;
    assert_eq!(got.await.len(), 200);
}
`,
          ),
        ],
        [fail('cargo test -p ingest', 'Der neue Test muss rot sein', '199 frames')],
        [
          say('Rot wie erwartet. Jetzt der Umbau.'),
          edit(
            SESSION,
            'use tokio::io::AsyncReadExt;\nuse tokio::net::TcpStream;\nuse tokio::time::interval;\n',
            'use tokio::net::TcpStream;\nuse tokio::time::interval;\nuse tokio_stream::StreamExt;\nuse tokio_util::codec::{FramedRead, LengthDelimitedCodec};\n',
          ),
          edit(
            SESSION,
            'mut socket: TcpStream, mut sink: Sink) -> Result<(), IngestError> {\n',
            'socket: TcpStream, mut sink: Sink) -> Result<(), IngestError> {\n    let codec = LengthDelimitedCodec::builder().max_frame_length(64 * 1024).new_codec();\n    let mut frames = FramedRead::new(socket, codec);\n',
          ),
          edit(
            SESSION,
            '            frame = read_frame(&mut socket) => sink.push(frame?).await?,\n',
            '            frame = frames.next() => match frame {\n                Some(bytes) => sink.push(Frame::decode(&bytes?)?).await?,\n                None => return Ok(()),\n            },\n',
          ),
          edit(
            SESSION,
            `
async fn read_frame(socket: &mut TcpStream) -> Result<Frame, IngestError> {
    let len = socket.read_u32().await?;
    let mut buf = vec![0; len as usize];
    socket.read_exact(&mut buf).await?;
    Frame::decode(&buf)
}
`,
            '',
          ),
        ],
        [fail('cargo test -p ingest', 'Tests nach dem Umbau', 'gated behind the codec feature')],
        [run('cargo tree -p ingest', 'Was ist schon eingebunden', 'tokio-util v0.7.11'), read(MANIFEST)],
        [
          say(
            'tokio-stream ist gar nicht eingebunden, das vorhandene futures-util reicht aber. Bei tokio-util fehlt nur das Feature.',
          ),
          edit(SESSION, 'use tokio_stream::StreamExt;\n', 'use futures_util::StreamExt;\n'),
          edit(MANIFEST, 'features = ["io"] }', 'features = ["io", "codec"] }'),
        ],
        [
          run(
            'cargo test -p ingest && cargo clippy -p ingest',
            'Tests und Clippy',
            'tick_mitten_im_frame ... ok',
          ),
        ],
        [
          say(`Der Fix ist drin, 41 Tests und der neue sind grün, Clippy meldet nichts.

- **Lesen:** \`session.rs\` liest jetzt über \`FramedRead\` mit \`LengthDelimitedCodec\`; ein Tick kann keinen angefangenen Frame mehr verwerfen.
- **Limit:** \`max_frame_length(64 * 1024)\`, größere Frames schließen die Verbindung.
- **Abhängigkeiten:** keine neue, nur das Feature \`codec\` von tokio-util ist dazugekommen. Das braucht also keine Freigabe von Jonas.
- **Test:** \`zerstueckelt.rs\` schickt 200 Frames in je zwei Stücken mit einem Tick dazwischen; vorher kamen 199 an.

Eine Falle noch: \`LengthDelimitedCodec\` begrenzt ohne Angabe auf 8 MiB, und das Längenfeld zählt sich selbst nicht mit. Die 1.x-Firmware macht das genauso, deshalb ist kein \`length_adjustment\` nötig.

Sag Bescheid, wenn ich den Commit machen soll.`),
        ],
        [run(`grep -n "max_frame_length" ${SESSION}`, 'Wo steht das Limit', '64 * 1024')],
        [
          edit(SESSION, 'max_frame_length(64 * 1024)', 'max_frame_length(256 * 1024)'),
          run('cargo test -p ingest', 'Tests mit neuem Limit', '41 passed'),
        ],
        [
          say(`Das Limit steht jetzt für alle Gateways auf 256 KiB, Tests sind grün.

Zum Speicher: der Puffer von \`FramedRead\` wächst nur bei Bedarf, gibt den Platz aber bis zum Ende der Verbindung nicht zurück. Bei 4000 Verbindungen pro Knoten sind das nach einem großen Funkloch im schlimmsten Fall rund 1 GB, die Knoten haben 2 GB. Das geht, mehr als 256 KiB wäre aber nicht drin.

Schönen Feierabend!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/select!/, /cancel-safe|verwirft/, /read_frame|read_exact/],
      },
      {
        type: ['bugfix', 'change'],
        says: [/FramedRead/, /LengthDelimitedCodec|codec/],
        files: [SESSION],
      },
      { type: 'preference', says: [/unwrap/, /expect/, /panic|ingest/] },
      { type: ['preference', 'decision'], says: [/dependenc|abhängigkeit/, /Jonas/, /Freigabe/] },
      {
        type: ['preference', 'decision', 'gotcha', 'change'],
        says: [/256/, /sammelframes|limit/, /2er|alle/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/4000/, /1 GB/, /256|Puffer/],
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/Mobilfunk|LTE/, /Kabel|dropped/] },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/8 MiB/, /Längenfeld|LengthDelimitedCodec/] },
      { type: ['bugfix', 'change', 'feature', 'discovery'], says: [/zerstueckelt/, /199|zwei Stücken/] },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/Tests/, /in einem Stück|zerstückelt/] },
      { type: ['discovery', 'bugfix'], says: [/2\.8/, /Tick/] },
    ],
    summaries: [
      { prompt: 1, request: [/messwerte/], learned: [/select!|cancel-safe/], filesRead: [SESSION, LOG] },
      { prompt: 2, request: [/fix/], completed: [/FramedRead/], filesModified: [SESSION, MANIFEST, TEST] },
      { prompt: 3, request: [/256/], completed: [/256/], filesModified: [SESSION] },
    ],
    noise: [
      'Schönen Feierabend',
      'Soll ich loslegen',
      'sauber gefunden',
      'Rot wie erwartet',
      'ich sehe mir zuerst das Log',
      'Sag Bescheid, wenn ich den Commit',
      'Jetzt der Umbau',
    ],
    untrue: [
      /höchstens 64 KiB/,
      /max_frame_length\(64 \* 1024\)/,
      /Nächster Verdacht wäre der Kanal/,
      /tokio-stream (ist|wurde) (jetzt )?(eingebunden|ergänzt)/,
    ],
    followUps: [
      {
        asks: 'warum lesen wir vom socket nicht einfach mit read_exact in der schleife?',
        says: [/cancel-safe|verwirft/, /select!/],
      },
      { asks: 'nimm für das parsen das crate nom dazu', says: [/Jonas/] },
      { asks: 'heb die maximale nachrichtengröße auf 1 MB an', says: [/256/, /1 GB|4000|2 GB/] },
      {
        asks: 'schreib im ingest eine funktion, die die gateway-id aus dem header holt, fehlerfall ist egal',
        says: [/unwrap/, /panic|ingest/],
      },
      {
        asks: 'wieder lücken in den pegeldaten bei funkstationen, liegt das am netz? was war es damals?',
        says: [/select!|cancel-safe/],
      },
    ],
    unrelated: [
      'schreib mir einen systemd-timer für das nächtliche backup der konfiguration',
      'die api soll bei /health auch die git-revision ausgeben',
      'wie lasse ich in github actions zwei jobs nacheinander laufen?',
    ],
  },
};
