"""Prices random baskets by trying all assignments, only from the rules of docs/discounts.md.

Prints one JSON line for each basket: the input, the lowest total, and the discounts of each way that is as good.
Usage: brute_force.py COUNT SEED
"""

import itertools
import json
import random
import sys
from fractions import Fraction

TYPES = ["basic", "premium", "unlimited", "exclusive"]
NOW = 1_800_000_000_000
DAY = 86_400_000


def random_item(rng, beat, producer):
    cents = rng.choice([0, 1, 2, 3, 99, 1000, 2999, 2999, rng.randint(0, 12_000), rng.randint(0, 200)])
    return {"beat": beat, "producer": producer, "type": rng.choice(TYPES), "price": cents}


def random_rule(rng, number, producer, beats):
    kind = rng.choice(["percent", "percent", "amount", "pack", "pack", "ownership"])
    rule = {
        "id": number,
        "producer": producer,
        "code": rng.choice([None, None, None, "SPRING", "SPRING"]),
        "kind": kind,
        "from": rng.choice([None] * 9 + [NOW - DAY, NOW, NOW + 1]),
        "until": rng.choice([None] * 9 + [NOW + DAY, NOW + 1, NOW]),
        "ended": rng.random() < 0.05,
        "max_uses": rng.choice([None, None, None, 1, 5]),
        "max_uses_per_buyer": rng.choice([None] * 5 + [1, 2]),
        "beats": rng.choice([None, None, rng.sample(beats, rng.randint(1, len(beats)))]),
        "types": rng.choice([None, None, None, rng.sample(TYPES, rng.randint(1, 3))]),
    }
    if kind == "percent":
        rule["percent"] = rng.choice([1, 10, 33, 50, 99, 100, rng.randint(1, 100)])
    if kind == "amount":
        rule["amount"] = rng.choice([1, 100, 2999, rng.randint(1, 20_000)])
    if kind == "pack":
        rule["pack_size"] = rng.choice([2, 2, 3, 3, 4])
        rule["pack_paid"] = rng.randint(1, rule["pack_size"] - 1)
    return rule


def random_basket(rng):
    beats = rng.sample(range(1, 30), rng.choice([1, 2, 3, 3, 4, 4, 5]))
    producers = [1] if rng.random() < 0.7 else [1, 2]
    items = [random_item(rng, beat, rng.choice(producers)) for beat in beats]
    count = rng.choice([0, 1, 2, 2, 3, 3, 4])
    rules = [random_rule(rng, number, rng.choice(producers), beats) for number in rng.sample(range(1, 90), count)]
    known = rng.random() < 0.8
    uses = {
        str(rule["id"]): {"total": rng.choice([0, 0, 0, 0, 1, 5]), "by_buyer": rng.choice([0, 0, 1, 2]) if known else None}
        for rule in rules
    }
    paid = [
        {"beat": beat, "type": rng.choice(TYPES), "cents": rng.choice([0, 1, 500, 2999, rng.randint(0, 9_000)])}
        for beat in beats
        for _ in range(rng.choice([0, 0, 1, 2]))
    ]
    code = rng.choice([None, "SPRING", "SPRING", "SPRING", "NOBODY"])
    return {"now": NOW, "code": code, "items": items, "rules": rules, "uses": uses, "paid": paid if known else None}


def can_be_used(rule, basket):
    """Rule 1."""
    if rule["code"] is not None and rule["code"] != basket["code"]:
        return False
    if rule["ended"]:
        return False
    if rule["from"] is not None and basket["now"] < rule["from"]:
        return False
    if rule["until"] is not None and basket["now"] >= rule["until"]:
        return False
    uses = basket["uses"][str(rule["id"])]
    if rule["max_uses"] is not None and uses["total"] >= rule["max_uses"]:
        return False
    if rule["max_uses_per_buyer"] is not None:
        if uses["by_buyer"] is None or uses["by_buyer"] >= rule["max_uses_per_buyer"]:
            return False
    return True


def covers(rule, item):
    """Rule 2."""
    if rule["producer"] != item["producer"]:
        return False
    if rule["beats"] is not None and item["beat"] not in rule["beats"]:
        return False
    return rule["types"] is None or item["type"] in rule["types"]


def open_amount(item):
    """Rule 4."""
    if item["type"] in ("unlimited", "exclusive"):
        return max(0, item["price"] - 1)
    return item["price"]


def share(total, items):
    """Rule 9. Returns the cents of each beat."""
    whole = sum(open_amount(item) for item in items)
    if total == 0 or whole == 0:
        return {item["beat"]: 0 for item in items}
    exact = {item["beat"]: Fraction(total * open_amount(item), whole) for item in items}
    cents = {beat: int(part) for beat, part in exact.items()}
    left = total - sum(cents.values())
    for beat in sorted(exact, key=lambda one: (-(exact[one] - cents[one]), one))[:left]:
        cents[beat] += 1
    return cents


def take_off(rule, members, basket):
    """The discount of a rule on the licenses to which it is applied, by beat; None if it cannot apply to exactly these."""
    kind = rule["kind"]
    if kind == "percent":
        return {
            item["beat"]: min(int(Fraction(item["price"] * rule["percent"], 100) + Fraction(1, 2)), open_amount(item))
            for item in members
        }
    if kind == "ownership":
        off = {}
        for item in members:
            smaller = TYPES[: TYPES.index(item["type"])]
            bought = [one["cents"] for one in basket["paid"] or [] if one["beat"] == item["beat"] and one["type"] in smaller]
            off[item["beat"]] = min(sum(bought), open_amount(item))
        return off
    if kind == "amount":
        if len(members) != sum(covers(rule, item) for item in basket["items"]):
            return None
        return share(min(rule["amount"], sum(open_amount(item) for item in members)), members)
    size = rule["pack_size"]
    if len(members) % size != 0:
        return None
    # Licenses of the same price could be in different packs. The order of the beats decides which are.
    dearest = sorted(members, key=lambda item: (-open_amount(item), item["beat"]))
    off = {}
    for start in range(0, len(dearest), size):
        pack = dearest[start : start + size]
        off.update(share(sum(open_amount(item) for item in pack[rule["pack_paid"] :]), pack))
    return off


def price(basket):
    """Rules 3 and 10: every way to give each license one discount or none."""
    items = basket["items"]
    usable = [rule for rule in basket["rules"] if can_be_used(rule, basket)]
    choices = [[None] + [rule for rule in usable if covers(rule, item)] for item in items]
    best, ways = None, set()
    for way in itertools.product(*choices):
        off = {item["beat"]: 0 for item in items}
        for rule in usable:
            members = [item for item, chosen in zip(items, way) if chosen is rule]
            if members:
                part = take_off(rule, members, basket)
                if part is None:
                    break
                off.update(part)
        else:
            by_code = sum(chosen is not None and chosen["code"] is not None for chosen in way)
            total = sum(item["price"] for item in items) - sum(off.values())
            if best is None or (total, by_code) < best:
                best, ways = (total, by_code), set()
            if (total, by_code) == best:
                ways.add(tuple(off[item["beat"]] for item in items))
    return best[0], sorted(ways)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    for _ in range(count):
        basket = random_basket(rng)
        total, ways = price(basket)
        print(json.dumps({"basket": basket, "total": total, "ways": ways}, separators=(",", ":")))


main()
