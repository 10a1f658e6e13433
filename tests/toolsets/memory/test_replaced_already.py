"""Two agents change one memory: the second one is told that the first was there."""

from __future__ import annotations


def test_who_refines_what_was_refined_already_is_told_of_the_other_version(memory):
    old = memory.store_memory(content="deploys go out on Tuesdays")["id"]
    first = memory.refine_memory(id=old, content="deploys go out on Wednesdays")
    assert "warning" not in first
    second = memory.refine_memory(id=old, content="deploys go out on Thursdays")
    assert second["warning"] == (
        f"memory {old} was replaced by {first['new_id']} before, so that both versions are current now: delete_memory "
        "the one that does not hold"
    )
    memory.delete_memory(id=first["new_id"])
    assert "warning" not in memory.refine_memory(id=second["new_id"], content="deploys go out on Fridays")


def test_who_corrects_what_was_replaced_is_told_of_the_version_that_holds(memory):
    old = memory.store_memory(content="deploys go out on Tuesdays")["id"]
    new = memory.refine_memory(id=old, content="deploys go out on Wednesdays")["new_id"]
    corrected = memory.update_memory(id=old, content="deploys went out on Mondays")
    assert corrected["warning"] == (
        f"memory {old} was replaced by {new} before, which is what recalls give first: update_memory that one where it "
        "is what is wrong"
    )
    assert "warning" not in memory.update_memory(id=new, content="deploys go out on Sundays")


def test_a_warning_about_pinned_memories_comes_too(memory):
    for number in range(11):
        memory.store_memory(content=f"pinned rule {number}", pinned=True)
    old = memory.store_memory(content="deploys go out on Tuesdays")["id"]
    memory.refine_memory(id=old, content="deploys go out on Wednesdays")
    told = memory.refine_memory(id=old, content="deploys go out on Thursdays", pinned=True)["warning"]
    assert f"memory {old} was replaced by " in told
    assert "12 are pinned in this project" in told
