"""Questions in six languages that none of the golden memories answers: silence, or an answer that is marked weak."""

import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MEMORIES = [json.loads(line) for line in (HERE / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
QUESTIONS = json.loads((HERE / "unanswered.json").read_text(encoding="utf-8"))
OF_TEN = 9


@pytest.mark.parametrize("language", QUESTIONS)
def test_nothing_or_a_weak_answer_comes_of_nine_questions_in_ten(memory, language):
    memory.import_memories(memories=[{"content": known["content"]} for known in MEMORIES])
    answers = {question: memory.recall_memory(query=question) for question in QUESTIONS[language]}
    passing = [question for question, hits in answers.items() if hits and not hits[0].get("weak")]
    assert len(answers) == 10
    assert len(answers) - len(passing) >= OF_TEN, passing
