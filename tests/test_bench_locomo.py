"""``noodle bench locomo`` on a conversation of our own words in the same format."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim.bench.cli import main
from sim.bench.evidence import summarised
from sim.bench.held import HELD
from sim.bench.locomo import read
from sim.errors import ConfigError

SESSIONS = {
    1: (
        "9:05 am on 3 March, 2024",
        [
            ("Ada", "Morning, Ben! How is the allotment?"),
            ("Ben", "Muddy. I planted three rows of leeks yesterday."),
            ("Ada", "Do you have a name for the scarecrow?"),
            ("Ben", "Captain Turnip!"),
        ],
    ),
    2: (
        "6:40 pm on 20 April, 2024",
        [
            ("Ada", "I joined a rowing club last week."),
            ("Ben", "Brave! The lake is freezing."),
            ("Ada", "We row at dawn, and I adore it."),
            ("Ben", "My leeks were eaten by a hare."),
        ],
    ),
}
ASKED = [
    ("What did Ben plant?", ["D1:2"], 4),
    ("When did Ada join the rowing club?", ["D2:1"], 2),
    ("What is the scarecrow called?", ["D1:3; D1:04"], 4),
    ("What has happened to the leeks?", ["D1:2", "D2:4", "D9:9"], 1),
    ("What did Ada plant?", ["D1:2"], 5),
    ("Who sings?", ["D"], 3),
]


def conversation(name: str = "talk-1") -> dict[str, Any]:
    sessions: dict[str, Any] = {"speaker_a": "Ada", "speaker_b": "Ben", "session_3_date_time": "lost"}
    for number, (at, said) in SESSIONS.items():
        sessions[f"session_{number}_date_time"] = at
        sessions[f"session_{number}"] = [
            {"speaker": who, "dia_id": f"D{number}:{place}", "text": text}
            for place, (who, text) in enumerate(said, 1)
        ]
    sessions["session_2"][0]["blip_caption"] = "a photo of a red boat"
    asked = [
        {"question": text, "answer": "never read", "evidence": evidence, "category": category}
        for text, evidence, category in ASKED
    ]
    return {"sample_id": name, "conversation": sessions, "qa": asked}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([conversation(), conversation("talk-2")]), encoding="utf-8")
    return path


def test_reads_turns_in_order_and_evidence_as_far_as_it_is_there(data: Path) -> None:
    first = read(data)[0]
    assert [turn.id for turn in first.turns] == [f"D{s}:{n}" for s in (1, 2) for n in (1, 2, 3, 4)]
    assert first.turns[4].caption == "a photo of a red boat"
    assert [one.evidence for one in first.questions][2:4] == [("D1:3", "D1:4"), ("D1:2", "D2:4")]
    assert first.skipped == 1


def test_a_folder_is_all_its_files(data: Path) -> None:
    (data.parent / "more.json").write_text(json.dumps(conversation("talk-0")), encoding="utf-8")
    assert [one.id for one in read(data.parent)] == ["talk-0", "talk-1", "talk-2"]


def test_writes_what_scripts_rely_on(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = data.parent / "new" / "out.json"
    assert main(["locomo", "--data", str(data), "--json", str(out), "memory.weights.recency=0"]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert set(found) == {"overall", "by_category", "by_conversation", "settings"}
    keys = {"recall_at_5", "recall_at_10", "hit_at_5", "all_at_10", "mrr", "ndcg_at_10", "intervals_95"}
    for row in (found["overall"], found["by_category"]["multi_hop"], found["by_conversation"]["talk-2"]):
        assert keys <= set(row)
    assert found["overall"]["questions"] == 10
    assert found["overall"]["recall_at_10"] == 1  # eight turns, of which ten are taken
    assert found["overall"]["mrr"] > 0.6
    assert found["by_category"]["answerable"]["questions"] == 8
    assert found["settings"]["weights"]["recency"] == 0
    assert found["settings"]["questions_without_evidence"] == 2
    assert "recall_at_5" in capsys.readouterr().out


def test_nothing_is_read_of_answers_and_of_other_conversations(data: Path) -> None:
    out = data.parent / "out.json"
    assert main(["locomo", "--data", str(data), "--json", str(out), "embedder=none"]) == 0
    before = json.loads(out.read_text(encoding="utf-8"))
    other = conversation("talk-2")
    for entry in other["qa"]:
        entry["answer"] = "leeks, rowing, Captain Turnip"
        entry["question"] = "Something else?"
    data.write_text(json.dumps([conversation(), other]), encoding="utf-8")
    assert main(["locomo", "--data", str(data), "--json", str(out), "embedder=none"]) == 0
    after = json.loads(out.read_text(encoding="utf-8"))
    assert after["by_conversation"]["talk-1"] == before["by_conversation"]["talk-1"]


def test_a_record_of_several_turns_counts_for_each(data: Path) -> None:
    out = data.parent / "out.json"
    assert main(["locomo", "--data", str(data), "--json", str(out), "held=compressed"]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["overall"]["recall_at_5"] == 1
    assert 0 < found["overall"]["mrr"] <= 1


@pytest.mark.parametrize("held", HELD)
def test_no_turn_is_forgotten(data: Path, held: str) -> None:
    from sim.bench.evidence import remembered
    from sim.memory.retrieval.retriever import Retriever

    talk = read(data)[0]
    asking = remembered(talk, lambda calendar: Retriever(calendar=calendar), HELD[held])
    turns = [turn for record in asking.retriever.records for turn in record.sources]
    assert turns == [turn.id for turn in talk.turns]


def test_no_answers_are_no_figures() -> None:
    overall = summarised([])["overall"]
    assert overall["questions"] == 0
    assert overall["recall_at_5"] is None


WRONG = {
    "absent": (None, "cannot be read"),
    "no json": ("{", "is no JSON"),
    "empty": ("[]", "holds no conversations"),
    "other": ('[{"a": 1}]', "lacks the key 'conversation'"),
    "scalar": ("3", "is malformed"),
    "no turns": ('[{"conversation": {}, "qa": []}]', "no turns"),
    "bad date": (
        '[{"conversation": {"session_1": [{}], "session_1_date_time": "noon"}, "qa": []}]',
        "does not match format",
    ),
}


@pytest.mark.parametrize(("content", "told"), WRONG.values(), ids=WRONG)
def test_bad_data_costs_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, told: str
) -> None:
    path = tmp_path / "data.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert main(["locomo", "--data", str(path)]) == 2
    line = capsys.readouterr().err
    assert told in line
    assert str(path) in line
    assert line.count("\n") == 1


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("memory.weights.foo=1", "memory.weights.foo: no such weight"),
        ("memory.weights.dense=x", "memory.weights.dense=x"),
        ("memory.weights.dense=-1", "from 0 up"),
        ("memory=window", "memory: there is no 'window'"),
        ("held=pages", "held: there is no 'pages'"),
        ("embedder=x", "embedder: there is no 'x'"),
        ("speed=1", "speed: no such key"),
        ("speed", "an override is key=value"),
    ],
)
def test_bad_overrides_cost_one_line(
    data: Path, capsys: pytest.CaptureFixture[str], override: str, told: str
) -> None:
    assert main(["locomo", "--data", str(data), override]) == 2
    assert told in capsys.readouterr().err


def test_what_cannot_be_written_costs_one_line(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["locomo", "--data", str(data), "--json", str(data / "out.json")]) == 2
    assert "--json" in capsys.readouterr().err


def test_the_same_conversation_twice_is_refused(data: Path) -> None:
    data.write_text(json.dumps([conversation(), conversation()]), encoding="utf-8")
    with pytest.raises(ConfigError, match="there twice"):
        read(data)


def test_a_conversation_without_questions_gives_no_figures(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.write_text(json.dumps(conversation() | {"qa": []}), encoding="utf-8")
    assert main(["locomo", "--data", str(data), "embedder=none"]) == 0
    assert "no data" in capsys.readouterr().out
