"""What a cluster of symbols is called, and who stands first in it."""

import random

from indelible.source.clusters import Member, clusters


def member(name, path="", rank=0.0):
    return Member(f"sym:{name}", name, path, rank)


SHOP = [
    member("shop.cart.CartItem.price", "shop/cart/items.py", 0.2),
    member("shop.cart.CartItem.quantity", "shop/cart/items.py", 0.4),
    member("shop.cart.load_cart", "shop/cart/load.py", 0.1),
]
MAIL = [
    member("post.sendMail", "post/mail.ts", 0.1),
    member("post.retryMail", "post/mail.ts", 0.3),
    member("post.MailQueue", "post/queue.ts", 0.2),
]


def test_a_cluster_is_called_by_its_folder_and_the_words_that_tell_it_from_others():
    cart, mail = clusters([*SHOP, *MAIL], [0, 0, 0, 1, 1, 1], [0.3, 0.2])
    assert cart.label == "shop/cart: item items load"
    assert mail.label == "post: mail queue retry"
    assert (cart.number, cart.modularity, mail.modularity) == (0, 0.3, 0.2)


def test_members_stand_by_rank_then_by_name():
    found = clusters([member("b", rank=1), member("c", rank=2), member("a", rank=1)], [0, 0, 0], [0.0])
    assert [each.name for each in found[0].members] == ["c", "a", "b"]


def test_what_has_no_telling_word_is_called_by_its_first_member():
    (found,) = clusters([member("f", "", 0.1), member("x", "", 0.2)], [0, 0], [0.0])
    assert found.label == "x"


def test_the_order_of_the_members_makes_no_difference():
    members = [*SHOP, *MAIL]
    labels = [0, 0, 0, 1, 1, 1]
    order = list(range(6))
    random.Random(1).shuffle(order)
    again = clusters([members[at] for at in order], [labels[at] for at in order], [0.3, 0.2])
    assert again == clusters(members, labels, [0.3, 0.2])


def test_no_members_are_no_clusters():
    assert clusters([], [], []) == []


def test_names_of_any_language_make_labels():
    (found,) = clusters([member("корзина.товар_цена"), member("корзина.товар_число")], [0, 0], [0.0])
    assert "корзина" in found.label
