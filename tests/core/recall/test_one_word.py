"""A question of one word finds English texts, whatever language the word may be one of too."""

import pytest


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("lizards are fed at noon", "lizards"),
        ("the kubernetes cluster is drained at night", "kubernetes"),
        ("the kubernetes cluster is drained at night", "warum ist der Kubernetes Cluster so langsam"),
    ],
)
def test_one_word_is_enough(memory, content, query):
    memory.store_memory(content=content)
    assert [hit["content"] for hit in memory.recall_memory(query=query)] == [content]
