import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SAVE = 'core/save_game.gd';
const UPGRADE = 'core/save_upgrade.gd';
const TEST = 'tests/test_save_upgrade.gd';
const DEMO = 'tests/saves/demo_0_4.json';

export const godotSaveVersionsEn: SurveySession = {
  name: 'godot-save-versions-en',
  about:
    'A rambling game developer wants save files that survive updates: JSON stays, Resources are rejected, ints come back as floats, three backups become five.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'godot',
  files: {
    'project.godot': '[application]\nconfig/name="Lanternfall"\nconfig/features=PackedStringArray("4.3")\n',
    [SAVE]: `class_name SaveGame

const PATH := "user://save.json"

static func store(state: Dictionary) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_string(JSON.stringify(state))

static func load_state() -> Dictionary:
	var file := FileAccess.open(PATH, FileAccess.READ)
	return JSON.parse_string(file.get_as_text())
`,
    [DEMO]: '{"hp": 12, "bag": [{"id": "oil", "n": 3}], "room": "cellar"}\n',
    'core/inventory.gd': `class_name Inventory

static func icon_for(n) -> String:
	match n:
		1: return "single"
		3: return "bundle"
		_: return "unknown"
`,
  },
  programs: {
    godot: `#!/bin/sh
if ! grep -q "int(" core/save_upgrade.gd; then
  echo "FAIL test_demo_bag: icon_for(3.0) expected bundle, got unknown"
  echo "5 passed, 1 failed"
  exit 1
fi
echo "6 passed, 0 failed"
`,
  },
  prompts: [
    'hey! so, long story. we had the demo on next fest with 0.4 and something like 11k people have saves from it, and now in 0.5 I renamed a bunch of stuff (hp is health, bag is inventory with count instead of n) and obviously it all explodes. I want saves to have a version and get upgraded on load. I was thinking of moving to those custom Resource .tres files because typed, what do you think? oh and the one thing that is holy: a demo save must load, always, in every future version, I promised that on stream. (my cat is sitting on the keyboard, sorry for tyypos)',
    "ha ok, you scared me, no Resources then. JSON it is. write it. keep three old copies around, and if loading fails DON'T start a new game over it, show the error, someone lost 20 hours in my last game that way",
    "works on my save!! hmm one thing, three backups, autosave is every 5 min so three copies is only 15 minutes, make it five... and only rotate on manual saves, not on autosave, otherwise five doesn't help either. yeah. and commit please, I always write commits in lower case without a dot. then bed, it's 2 am",
    'haha thanks, you too, night!',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('Cute. Looking at how it is stored now.'), read(SAVE), read(DEMO)],
        [
          say(`Short answer: I would not use Resources for saves.

**.tres / custom Resource.** Typed, and the editor can show them. But a .tres file can embed a GDScript, and load() runs it. Players trade save files on Discord, so that is remote code execution by save file. Also, renaming a class or moving its script breaks every old file, which is exactly your problem.

**JSON with a version number.** No types, but it is only data, people can attach it to bug reports, and an upgrade is a plain function from one Dictionary to the next: v1 to v2, v2 to v3, run in a chain.

**Binary with store_var.** Compact, keeps ints as ints, but unreadable, and allow_objects has the same hole.

I'd go with JSON. The demo files have no version at all, so "no version key" has to mean version 1. Shall I?`),
        ],
        [
          write(
            UPGRADE,
            `class_name SaveUpgrade

const CURRENT := 2

static func upgrade(state: Dictionary) -> Dictionary:
	var version: int = state.get("version", 1)
	if version < 2:
		state = _to_2(state)
	return state

static func _to_2(old: Dictionary) -> Dictionary:
	var items := []
	for item in old["bag"]:
		items.append({"id": item["id"], "count": item["n"]})
	return {"version": 2, "health": old["hp"], "inventory": items, "room": old["room"]}
`,
          ),
          write(
            TEST,
            `extends TestCase

func test_demo_bag():
	var state := SaveUpgrade.upgrade(load_json("res://tests/saves/demo_0_4.json"))
	assert_eq(Inventory.icon_for(state["inventory"][0]["count"]), "bundle")
`,
          ),
        ],
        [fail('godot --headless -s tests/run.gd', 'Run the tests', 'icon_for(3.0) expected bundle')],
        [
          say(
            "That's a nasty one. Godot's JSON parser returns every number as float, so a count of 3 comes back as 3.0, and `match` compares the type too: 3.0 does not match 3. It worked in the demo because the bag was never read back through icon_for. Every whole number has to go through int() when it is loaded.",
          ),
          read(UPGRADE),
          read('core/inventory.gd'),
        ],
        [
          edit(UPGRADE, '"count": item["n"]', '"count": int(item["n"])'),
          edit(
            SAVE,
            '	var file := FileAccess.open(PATH, FileAccess.WRITE)\n',
            '	_rotate(3)\n	var file := FileAccess.open(PATH, FileAccess.WRITE)\n',
          ),
        ],
        [edit(UPGRADE, '"health": old["hp"]', '"health": int(old["hp"])')],
        [
          edit(
            SAVE,
            '	return JSON.parse_string(file.get_as_text())\n',
            `	var state = JSON.parse_string(file.get_as_text())
	if state == null:
		return {"error": "unreadable"}
	return SaveUpgrade.upgrade(state)

static func _rotate(keep: int) -> void:
	for i in range(keep - 1, 0, -1):
		DirAccess.rename_absolute(PATH + ".%d" % i, PATH + ".%d" % (i + 1))
	DirAccess.copy_absolute(PATH, PATH + ".1")
`,
          ),
        ],
        [run('godot --headless -s tests/run.gd', 'Run the tests', '6 passed, 0 failed')],
        [
          say(`Done, 6 tests pass.

- \`SaveUpgrade.upgrade()\` runs the steps in a chain; a file without a version counts as version 1, which is what the demo wrote. The original demo save is in tests/saves/demo_0_4.json and must never be regenerated, it is the proof for your promise.
- \`load_state()\` returns an error instead of an empty state when the file cannot be parsed, so the menu can show it and nothing is overwritten.
- Three copies are kept as save.json.1 to .3.

Not covered: a save from a newer version than the game. Steam Cloud can hand you one when someone plays on two machines. Right now it is loaded as if it were current.

Say the word and I'll add a check for that. And hi to the cat!`),
        ],
        [read(SAVE)],
        [edit(SAVE, '	_rotate(3)\n', '	if manual:\n		_rotate(5)\n')],
        [
          edit(
            SAVE,
            'static func store(state: Dictionary) -> void:',
            'static func store(state: Dictionary, manual := false) -> void:',
          ),
        ],
        [
          run('godot --headless -s tests/run.gd', 'Run the tests', '6 passed'),
          run(
            'git add -A && git commit -qm "upgrade old saves on load, keep five copies" && git log --oneline -1',
            'Commit',
            'keep five copies',
          ),
        ],
        [
          say(
            'Five copies now, rotated only when `store` is called with manual = true. Committed. Still open is the newer-save check for Steam Cloud. Sleep well!',
          ),
        ],
        [say('Good night, and happy building!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha'],
        says: [/\.tres|Resource/, /script|code execution|embed/i],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/demo save must load|demo save/, /always|every future version/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/float/, /JSON/, /match|int\(\)/],
        prompt: 2,
      },
      { type: 'preference', says: [/loading fails|load/, /new game|show the error/], prompt: 2 },
      {
        type: ['decision', 'preference', 'change', 'feature'],
        says: [/five/, /manual/, /rotate/],
        prompt: 3,
      },
      { type: ['gotcha', 'discovery'], says: [/Steam Cloud/, /newer/], prompt: 2 },
      {
        type: ['how-it-works', 'decision', 'feature', 'gotcha'],
        says: [/version 1/, /no version|without a version/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['feature', 'change'], says: [/SaveUpgrade/, /chain/], files: [UPGRADE], prompt: 2 },
      {
        type: ['gotcha', 'preference', 'decision', 'feature'],
        says: [/demo_0_4\.json/, /never be regenerated/],
        prompt: 2,
      },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/store_var/, /allow_objects|unreadable/],
        prompt: 1,
      },
      { type: 'preference', says: [/commits/, /lower case/], prompt: 3 },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/renaming a class/, /breaks every old file/],
        prompt: 1,
      },
    ],
    summaries: [
      { prompt: 1, request: [/version/], learned: [/JSON|Resource/], filesRead: [SAVE] },
      {
        prompt: 2,
        request: [/JSON it is/],
        completed: [/SaveUpgrade|6 tests/],
        learned: [/float/],
        filesModified: [UPGRADE, SAVE],
      },
      {
        prompt: 3,
        request: [/five/],
        completed: [/five/],
        nextSteps: [/Steam Cloud/],
        filesModified: [SAVE],
      },
    ],
    noise: [
      'cat is sitting on the keyboard',
      'hi to the cat',
      'Sleep well',
      'Good night, and happy building',
      'Shall I?',
      'Say the word',
      "it's 2 am",
      'Cute. Looking at',
      'Three copies are kept',
    ],
    untrue: [
      /(saves|save files) (are|use) (now )?(custom )?Resources/,
      /rotat\w+ (on|at|with) (every )?autosave/,
      /(check|protection) .{0,30}newer .{0,20}(was added|is in place)/,
    ],
    followUps: [
      {
        asks: 'would it be easier to just ResourceSaver.save the player state?',
        says: [/script|code execution/i],
      },
      { asks: 'stack size check with == fails after reloading, it prints 7.0', says: [/float/] },
      {
        asks: 'can I drop support for files from the festival build, the code is getting ugly',
        says: [/demo/, /always|every future version|must/],
      },
      {
        asks: 'how many old copies of the player progress do we hold and when are they made?',
        says: [/five/, /manual/],
      },
      {
        asks: 'file cannot be parsed, should the menu just begin from scratch?',
        says: [/new game|show the error|returns an error|nothing is overwritten/],
      },
    ],
    unrelated: [
      'the lantern shader flickers on Intel GPUs',
      'add rumble when the player lands',
      'make the credits scroll slower',
    ],
  },
};
