"""Orders, their files, and sales as typed objects."""

from __future__ import annotations

from .models import Model


class OrderedBeat(Model):
    """The beat of an order at the time of the purchase."""

    id: int
    title: str
    producer_id: int
    producer_name: str


class NextAction(Model):
    """What the buyer has to do to finish a payment."""

    type: str
    """redirect."""
    url: str
    """The page to open in the buyer's browser."""


class Order(Model):
    """The purchase of a license. Check `status`: it can have failed."""

    id: int
    status: str
    """pending becomes completed or failed; both are final."""
    beat: OrderedBeat
    license_type: str
    """basic, premium, unlimited or exclusive."""
    amount: float
    """At most two decimals, in `currency`."""
    currency: str
    """ISO 4217."""
    payment_method: str
    failure_reason: str | None
    """A sentence; None unless failed."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    completed_at: str | None
    """ISO 8601, UTC, whole seconds; None unless completed."""
    refunded_amount: float
    """What was paid back of `amount`; 0 without a refund."""
    refunded_at: str | None
    """When money was last paid back; None if none was. The order stays completed."""
    client_secret: str | None
    """With Stripe, while pending: for Stripe's scripts in the buyer's browser."""
    next_action: NextAction | None
    """While pending: what the buyer has to do, such as 3-D Secure."""


class OrderFile(Model):
    """A file of an order. Its `url` needs no key until it expires."""

    kind: str
    """mp3, wav, stems or license."""
    filename: str
    """What a browser saves it as."""
    bytes: int
    sha256: str
    """In hexadecimal digits."""
    url: str
    expires_at: str
    """ISO 8601, UTC, whole seconds: 15 minutes ahead."""


class OrderLicense(Model):
    """The license of an order."""

    id: str
    url: str
    """The public page that says whether it is valid."""
    jws: str
    """Its facts, signed."""
    type: str
    """basic, premium, unlimited or exclusive."""
    terms_version: str
    """The version of the terms that it was sold under."""
    status: str
    """valid, or refunded once the order is refunded in full."""


class OrderFiles(Model):
    """What a completed order brings."""

    files: list[OrderFile]
    """Empty once the order is refunded in full."""
    license: OrderLicense


class SoldBeat(Model):
    """The beat of a sale, with its title at the time of the purchase."""

    id: int
    title: str


class Buyer(Model):
    """Who bought, as their license names them."""

    name: str


class Sale(Model):
    """A completed order of a beat that the account sold."""

    id: int
    """Of the order."""
    beat: SoldBeat
    license_type: str
    """basic, premium, unlimited or exclusive."""
    amount: float
    """At most two decimals, in `currency`."""
    refunded_amount: float
    """What of it went back to the buyer; 0 without a refund."""
    currency: str
    """ISO 4217."""
    buyer: Buyer
    license_id: str | None
    """None until the license is issued."""
    downloads: int
    """Files of the order that the buyer has downloaded."""
    completed_at: str
    """ISO 8601, UTC, whole seconds."""
    refunded_at: str | None
    """Of the last refund; None without one."""
