import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SAVE = 'autoload/save_game.gd';
const MENU = 'ui/slot_menu.gd';
const ROOM = 'world/room.gd';
const STRINGS = 'loc/strings.csv';
const TEST = 'tests/test_save.gd';

const GODOT = `#!/bin/sh
# Stands in for the engine: runs the suite of tests/ without a window.
grep -q 'func slot_path' ${SAVE} || { echo "save: 3 passed"; exit 0; }
if ! grep -q 'str(data.seed)' ${SAVE}; then
  echo "FAILED test_roundtrip: seed 9007199254740993 came back as 9007199254740992"
  echo "FAILED test_roundtrip: inventory has no key 3 (keys: \\"3\\")"
  exit 1
fi
echo "save: 9 passed"
`;

export const godotSaveSlotsEn: SurveySession = {
  name: 'godot save slots en',
  about:
    'Three save slots for a game; JSON mangles numbers, and the autosave timer is taken back a prompt later.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'godot',
  files: {
    'project.godot':
      '[application]\nconfig/name="Tidewrack"\nconfig/features=PackedStringArray("4.3")\n\n[autoload]\nSaveGame="*res://autoload/save_game.gd"\n',
    [SAVE]: `extends Node

const PATH := "user://save.json"

func save(data: Dictionary) -> void:
	var f := FileAccess.open(PATH, FileAccess.WRITE)
	f.store_string(JSON.stringify(data))

func load_game() -> Dictionary:
	if not FileAccess.file_exists(PATH):
		return {}
	return JSON.parse_string(FileAccess.get_file_as_string(PATH))
`,
    [ROOM]: `extends Node2D

signal entered(room_id: int)

func _ready() -> void:
	entered.emit(get_meta("room_id"))
`,
    [STRINGS]: `keys,en,de
MENU_CONTINUE,Continue,Weiter
MENU_NEW,New game,Neues Spiel
`,
    [TEST]: `extends "res://tests/suite.gd"

func test_roundtrip() -> void:
	var data := {"seed": 9007199254740993, "inventory": {3: 12, 7: 1}, "room": 41}
	SaveGame.save(data)
	eq(SaveGame.load_game(), data)
`,
    'docs/steam.md': 'Steam Cloud: pattern *.json in user://, quota 2 MB and 20 files per user.\n',
  },
  programs: { godot: GODOT },
  prompts: [
    "Tidewrack needs three save slots plus an autosave. Players have been asking since the demo. Saves stay JSON please, Ilse wanted .tres resources but loading a Resource can run a script that's embedded in it and people do share save files on Discord. Existing saves of the demo must survive. Autosave every 30 s I'd say.",
    'played it on the Steam Deck: the 30 s autosave gives a visible hitch, about 45 ms, right in the middle of fights. Drop the timer. Autosave when the player enters a room and nowhere else. And all texts go through tr() with a key in loc/strings.csv, I saw a hardcoded "Empty". Leave the de column blank, Jonas translates that himself',
    'cool. could we sync the slots with Steam Cloud as is or is something in the way?',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          read(SAVE),
          read(TEST),
          run(
            'ls -R autoload ui world tests loc 2>/dev/null; cat project.godot',
            'Layout of the project',
            'Tidewrack',
          ),
        ],
        [
          say(
            'Godot 4.3, one autoload does all the saving. I write slots into that same file so callers keep working.',
          ),
          write(
            SAVE,
            `extends Node

const OLD_PATH := "user://save.json"
const SLOTS := 3
const AUTOSAVE_SECONDS := 30.0

var slot := 1

func slot_path(n: int) -> String:
	return "user://slot_%d.json" % n

func _ready() -> void:
	adopt_old_save()
	var timer := Timer.new()
	timer.wait_time = AUTOSAVE_SECONDS
	timer.autostart = true
	timer.timeout.connect(func(): save(Game.snapshot()))
	add_child(timer)

func adopt_old_save() -> void:
	if FileAccess.file_exists(OLD_PATH) and not FileAccess.file_exists(slot_path(1)):
		DirAccess.copy_absolute(OLD_PATH, slot_path(1))

func save(data: Dictionary) -> void:
	var f := FileAccess.open(slot_path(slot), FileAccess.WRITE)
	f.store_string(JSON.stringify(data))

func load_game() -> Dictionary:
	if not FileAccess.file_exists(slot_path(slot)):
		return {}
	return JSON.parse_string(FileAccess.get_file_as_string(slot_path(slot)))
`,
          ),
          fail('godot --headless -s tests/run.gd', 'Suite', 'came back as 9007199254740992'),
        ],
        [
          say(
            "Two failures and they're older than my change, the roundtrip test just wasn't reached before. JSON in Godot knows only floats: every number comes back as a float, so a 64 bit seed above 2^53 loses its last digits, and dictionary keys always come back as strings, so `inventory[3]` is empty after loading.",
          ),
          edit(
            SAVE,
            `	var f := FileAccess.open(slot_path(slot), FileAccess.WRITE)
	f.store_string(JSON.stringify(data))
`,
            `	var out := data.duplicate(true)
	# JSON numbers are floats: 64 bit integers travel as strings.
	out.seed = str(data.seed)
	out.version = 2
	# A crash while writing must not cost the old save.
	var tmp := slot_path(slot) + ".tmp"
	var f := FileAccess.open(tmp, FileAccess.WRITE)
	f.store_string(JSON.stringify(out))
	f.close()
	DirAccess.rename_absolute(tmp, slot_path(slot))
`,
          ),
          edit(
            SAVE,
            '	return JSON.parse_string(FileAccess.get_file_as_string(slot_path(slot)))\n',
            `	var data: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(slot_path(slot)))
	data.seed = int(data.seed)
	data.room = int(data.room)
	var inventory := {}
	for key in data.inventory:
		inventory[int(key)] = int(data.inventory[key])
	data.inventory = inventory
	data.erase("version")
	return data
`,
          ),
        ],
        [
          write(
            MENU,
            `extends VBoxContainer

func _ready() -> void:
	for n in range(1, SaveGame.SLOTS + 1):
		var b := Button.new()
		b.text = "%d" % n if FileAccess.file_exists(SaveGame.slot_path(n)) else "Empty"
		b.pressed.connect(func(): SaveGame.slot = n)
		add_child(b)
`,
          ),
          run('godot --headless -s tests/run.gd', 'Suite', '9 passed'),
        ],
        [
          say(`Slots and autosave are in, nine tests pass.

- **Slots**: \`user://slot_1.json\` to \`slot_3.json\`, chosen in the new \`ui/slot_menu.gd\`.
- **Demo saves**: \`user://save.json\` is copied to slot 1 on the first start. It's copied and not moved, so a player who goes back to the demo branch still finds it.
- **Autosave**: a timer saves the current slot every 30 s.
- **Numbers**: JSON turned the seed into a float and the inventory keys into strings. The seed is stored as a string now, and \`load_game\` converts keys and counts back to int. Anyone who adds an integer field to the save has to convert it in \`load_game\` too, otherwise \`match\` and dictionary lookups on it fail silently.
- **Crash safety**: written to \`.tmp\` and renamed, so a crash halfway leaves the old save intact.

Have fun testing!`),
        ],
        [say('Timer goes, the room signal takes over.'), read(ROOM), read(SAVE), read(MENU), read(STRINGS)],
        [
          edit(
            SAVE,
            `	var timer := Timer.new()
	timer.wait_time = AUTOSAVE_SECONDS
	timer.autostart = true
	timer.timeout.connect(func(): save(Game.snapshot()))
	add_child(timer)
`,
            '',
          ),
          edit(SAVE, 'const AUTOSAVE_SECONDS := 30.0\n', ''),
          edit(
            ROOM,
            '	entered.emit(get_meta("room_id"))\n',
            '	entered.emit(get_meta("room_id"))\n	# Deferred: the fade hides the hitch of about 45 ms.\n	SaveGame.save.call_deferred(Game.snapshot())\n',
          ),
          edit(MENU, 'else "Empty"', 'else tr("SLOT_EMPTY")'),
          edit(
            STRINGS,
            'MENU_NEW,New game,Neues Spiel\n',
            'MENU_NEW,New game,Neues Spiel\nSLOT_EMPTY,Empty,\n',
          ),
        ],
        [
          run('godot --headless -s tests/run.gd', 'Suite', '9 passed'),
          run(
            `grep -rnE '(text|title) = "[A-Z]' ui world || echo "no hardcoded texts"`,
            'Other hardcoded texts',
            'no hardcoded texts',
          ),
        ],
        [
          say(
            'The timer is gone. `room.gd` saves when the player enters a room, deferred, so the 45 ms fall into the fade to black. "Empty" is now the key `SLOT_EMPTY`, de left blank; there were no other hardcoded texts. One thing I noticed on the way: an empty cell in the csv doesn\'t fall back to English, Godot shows the raw key, so German players read SLOT_EMPTY until Jonas has filled it in. Nine tests pass.',
          ),
        ],
        [
          read('docs/steam.md'),
          run(
            `node -e "const inv={};for(let i=0;i<400;i++)inv[i]=99;console.log(JSON.stringify({seed:'9007199254740993',inventory:inv,rooms:Array(600).fill({seen:true,loot:[1,2,3]})}).length)"`,
            'Size of a late save',
            '20941',
          ),
        ],
        [
          say(`Nearly. Two things are in the way:

1. **Pattern.** Cloud takes \`*.json\` in user://, which also catches the old \`save.json\`. Steam would then bring the demo save back on a second machine, where it is adopted into slot 1 before the real slot 1 has been downloaded. Narrow the pattern to \`slot_*.json\`.
2. **Conflicts.** Steam compares file times only. A Deck that was offline overwrites the newer slot of the PC if the player clicks the wrong button. A play time counter in the save would let us show which one is further.

Size is no problem: a late save has about 21 KB, the quota is 2 MB and 20 files. I haven't changed anything. Happy to do either of them whenever you like.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision'],
        says: [/JSON/, /tres|Resource/, /script|Discord/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix'],
        says: [/JSON/, /float/, /seed|2\^53|keys/],
      },
      {
        type: ['preference', 'decision', 'change', 'feature'],
        says: [/room/, /autosave|timer/, /hitch|45 ms/],
      },
      { type: ['preference', 'decision'], says: [/tr\(\)/, /strings\.csv/, /Jonas/] },
      { type: ['feature', 'change'], says: [/slot/, /user:\/\/slot_|slot_1|slot_menu/], files: [SAVE] },
      {
        type: ['gotcha', 'discovery', 'feature', 'how-it-works'],
        says: [/load_game/, /convert/, /integer|int\b/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/slot_\*\.json|pattern/, /demo save|save\.json/, /Steam|cloud/],
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/empty cell|csv/, /raw key|fall back/] },
      { type: ['decision', 'feature', 'gotcha', 'change'], says: [/save\.json/, /copied/, /demo/] },
      { type: ['feature', 'decision', 'change', 'bugfix'], says: [/\.tmp/, /crash/] },
      { type: ['gotcha', 'discovery'], says: [/Steam/, /file times|overwrites/] },
      { type: ['discovery', 'how-it-works'], says: [/21 KB/, /2 MB|quota/] },
    ],
    summaries: [
      { prompt: 1, request: [/slots/], completed: [/slot/], filesModified: [SAVE, MENU] },
      { prompt: 2, request: [/timer|room/], completed: [/room/], filesModified: [ROOM, STRINGS] },
      { prompt: 3, request: [/Steam Cloud/], learned: [/pattern|conflict/i] },
    ],
    noise: [
      'Have fun testing',
      'Happy to do either',
      'Timer goes, the room signal takes over',
      'so callers keep working',
      'Players have been asking',
    ],
    untrue: [/timer saves the current slot every 30 s/, /(narrowed|changed) the (cloud )?pattern/],
    followUps: [
      {
        asks: 'would it be ok to store the ship loadout as a custom Resource, much less code',
        says: [/script/, /JSON/],
      },
      {
        asks: 'after loading, my new quest_stage field never matches any branch. new game works',
        says: [/float/, /load_game/],
      },
      { asks: 'please add a "Delete slot?" confirmation dialog', says: [/strings\.csv/, /tr\(\)/] },
      {
        asks: 'when exactly does the game persist progress without the player doing anything?',
        says: [/room/],
      },
      { asks: 'turn on Steam Cloud for the release branch', says: [/slot_\*\.json/] },
    ],
    unrelated: [
      'make the water shader a bit cheaper, the reflections are overkill',
      'what is the difference between _process and _physics_process?',
      'set up itch.io upload with butler in CI',
    ],
  },
};
