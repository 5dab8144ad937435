# Generated from contract/openapi.json by npm run contract; do not edit.
"""Events of the account. Distinguish them by `type`, with isinstance, or match."""

from __future__ import annotations

from typing import Any, Literal

from ..model import Model
from .models import (
    Beat,
    BeatTakedown,
    BeatUpdated,
    BeatWithdrawal,
    ExclusiveSale,
    LicenseUpgrade,
    LicenseUsageReached,
    OrderFailure,
    OrderRefund,
    Payout,
    PublishingFailure,
    Purchase,
    Upload,
    User,
    UserUpdated,
)

__all__ = [
    "BeatCreatedEvent",
    "BeatPublishingFailedEvent",
    "BeatPurchasedEvent",
    "BeatSoldExclusivelyEvent",
    "BeatTakenDownEvent",
    "BeatUpdatedEvent",
    "BeatWithdrawnEvent",
    "Event",
    "EventPage",
    "LicenseUpgradedEvent",
    "LicenseUsageEvent",
    "OrderFailedEvent",
    "OrderRefundedEvent",
    "PayoutFailedEvent",
    "PayoutPaidEvent",
    "PayoutSentEvent",
    "UnknownEvent",
    "UploadReadyEvent",
    "UploadRejectedEvent",
    "UserRegisteredEvent",
    "UserUpdatedEvent",
]


class BaseEvent(Model):
    """An event of the account, with the same fields as a webhook."""

    id: str
    """The event's identifier, the same as in a webhook delivery."""
    created: int
    """When it happened, in Unix seconds."""

    @classmethod
    def _kind(cls, fields: dict[str, Any]) -> Any:
        return EVENTS.get(str(fields.get("type")), UnknownEvent)


class BeatCreatedEvent(BaseEvent):
    """`beat.created`: a new beat was uploaded."""

    type: Literal["beat.created"]
    data: Beat


class BeatUpdatedEvent(BaseEvent):
    """`beat.updated`: a beat was updated, or its exclusive license was sold."""

    type: Literal["beat.updated"]
    data: BeatUpdated


class BeatWithdrawnEvent(BaseEvent):
    """`beat.withdrawn`: a beat is withdrawn: its producer took it off sale, or an operator took it down."""

    type: Literal["beat.withdrawn"]
    data: BeatWithdrawal


class BeatTakenDownEvent(BaseEvent):
    """`beat.taken_down`: an operator took a beat down."""

    type: Literal["beat.taken_down"]
    data: BeatTakedown


class BeatSoldExclusivelyEvent(BaseEvent):
    """`beat.sold_exclusively`: the exclusive license of a beat was sold."""

    type: Literal["beat.sold_exclusively"]
    data: ExclusiveSale


class BeatPurchasedEvent(BaseEvent):
    """`beat.purchased`: a beat was purchased."""

    type: Literal["beat.purchased"]
    data: Purchase


class OrderRefundedEvent(BaseEvent):
    """`order.refunded`: money of an order was paid back, or a refund was returned."""

    type: Literal["order.refunded"]
    data: OrderRefund


class OrderFailedEvent(BaseEvent):
    """`order.failed`: the payment of a pending order failed after the order was placed."""

    type: Literal["order.failed"]
    data: OrderFailure


class LicenseUpgradedEvent(BaseEvent):
    """`license.upgraded`: a license was upgraded or renewed."""

    type: Literal["license.upgraded"]
    data: LicenseUpgrade


class LicenseUsageEvent(BaseEvent):
    """`license.usage`: the reported usage of a license reached 80 or 100 percent of a limit."""

    type: Literal["license.usage"]
    data: LicenseUsageReached


class UploadReadyEvent(BaseEvent):
    """`upload.ready`: an upload was analysed and can be used."""

    type: Literal["upload.ready"]
    data: Upload


class UploadRejectedEvent(BaseEvent):
    """`upload.rejected`: an upload cannot be used."""

    type: Literal["upload.rejected"]
    data: Upload


class BeatPublishingFailedEvent(BaseEvent):
    """`beat.publishing_failed`: a beat could not be published, or not with its new files."""

    type: Literal["beat.publishing_failed"]
    data: PublishingFailure


class PayoutSentEvent(BaseEvent):
    """`payout.sent`: a payout is on its way to a bank account."""

    type: Literal["payout.sent"]
    data: Payout


class PayoutPaidEvent(BaseEvent):
    """`payout.paid`: a payout arrived."""

    type: Literal["payout.paid"]
    data: Payout


class PayoutFailedEvent(BaseEvent):
    """`payout.failed`: a payout failed or came back; its money is in the balance again."""

    type: Literal["payout.failed"]
    data: Payout


class UserRegisteredEvent(BaseEvent):
    """`user.registered`: a new user registered."""

    type: Literal["user.registered"]
    data: User


class UserUpdatedEvent(BaseEvent):
    """`user.updated`: a user's profile was updated."""

    type: Literal["user.updated"]
    data: UserUpdated


class UnknownEvent(BaseEvent):
    """An event of a type that is newer than this version.

    The text below stands for its `type`, so that type checkers narrow the known types.
    """

    type: Literal["(newer than this client)"]
    data: Any


Event = (
    BeatCreatedEvent
    | BeatUpdatedEvent
    | BeatWithdrawnEvent
    | BeatTakenDownEvent
    | BeatSoldExclusivelyEvent
    | BeatPurchasedEvent
    | OrderRefundedEvent
    | OrderFailedEvent
    | LicenseUpgradedEvent
    | LicenseUsageEvent
    | UploadReadyEvent
    | UploadRejectedEvent
    | BeatPublishingFailedEvent
    | PayoutSentEvent
    | PayoutPaidEvent
    | PayoutFailedEvent
    | UserRegisteredEvent
    | UserUpdatedEvent
    | UnknownEvent
)
"""An event, as webhooks deliver it. A comparison of its `type` narrows it, and so the type of its `data`."""


class EventPage(Model):
    """A page of events, in the order of commits."""

    events: list[Event]
    next: int
    """The position to continue from."""


EVENTS: dict[str, type[BaseEvent]] = {
    "beat.created": BeatCreatedEvent,
    "beat.updated": BeatUpdatedEvent,
    "beat.withdrawn": BeatWithdrawnEvent,
    "beat.taken_down": BeatTakenDownEvent,
    "beat.sold_exclusively": BeatSoldExclusivelyEvent,
    "beat.purchased": BeatPurchasedEvent,
    "order.refunded": OrderRefundedEvent,
    "order.failed": OrderFailedEvent,
    "license.upgraded": LicenseUpgradedEvent,
    "license.usage": LicenseUsageEvent,
    "upload.ready": UploadReadyEvent,
    "upload.rejected": UploadRejectedEvent,
    "beat.publishing_failed": BeatPublishingFailedEvent,
    "payout.sent": PayoutSentEvent,
    "payout.paid": PayoutPaidEvent,
    "payout.failed": PayoutFailedEvent,
    "user.registered": UserRegisteredEvent,
    "user.updated": UserUpdatedEvent,
}
"""The class of each event type."""
