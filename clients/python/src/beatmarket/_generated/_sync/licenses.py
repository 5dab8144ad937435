# Generated from contract/openapi.json by npm run contract; do not edit.
"""What licenses allow, and reports of their use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...not_given import present
from .. import operations
from ..enums import CountedUse, LicenseType
from ..models import LicenseUsage, LicenseVerdict, Order

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Licenses:
    """What licenses allow, and reports of their use."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def may(
        self,
        license_id: str,
        *,
        use: str,
        quantity: int | None = None,
        territory: str | None = None,
        on: str | None = None,
    ) -> LicenseVerdict:
        """Ask whether a license allows a use.

        Answers `yes`, `no` or `unknown` by the terms under which the license was sold, with the clause that decides and
        the purchase that would allow the use. The id of a certificate is enough.

        Args:
            license_id: Identifier of the license: the UUID in its certificate.
            use: The use, such as `streams` or `content_id`: a word from the list of uses at /portal/docs/clauses#uses.
            quantity: The total number of streams, copies or videos. Default: 1.
            territory: The country of the use, by ISO 3166-1, such as `DE`.
            on: The day of the use, in UTC. Default: today.
        """
        body = present(use=use, quantity=quantity, territory=territory, on=on)
        return self._client._object(
            operations.ASK_LICENSE, LicenseVerdict, "verdict", path={"license_id": license_id}, body=body
        )

    def usage(self, license_id: str) -> LicenseUsage:
        """List the reported usage of a license.

        Returns the usage reports of one of the account's licenses, and their sums with the limits of the license.

        Args:
            license_id: Identifier of the license: the UUID in its certificate.
        """
        return self._client._object(
            operations.LIST_LICENSE_USAGE, LicenseUsage, "usage", path={"license_id": license_id}
        )

    def report_usage(
        self, license_id: str, *, use: CountedUse, quantity: int, period: str, source: str
    ) -> LicenseUsage:
        """Report the usage of a license.

        Stores how many streams, copies or videos a source counted in a month. A report of the same use, period and
        source replaces the former quantity, so it can be repeated and corrected. Returns the report and the sums. At 80
        and 100 percent of a limit the holder gets the event `license.usage` and a mail.

        Args:
            license_id: Identifier of the license: the UUID in its certificate.
            use: What is counted: streams, copies or videos.
            quantity: The number of streams, copies or videos in the period.
            period: A month, such as `2027-01`.
            source: The source of the number, such as the distributor.
        """
        body = present(use=use, quantity=quantity, period=period, source=source)
        return self._client._object(
            operations.REPORT_LICENSE_USAGE, LicenseUsage, "usage", path={"license_id": license_id}, body=body
        )

    def upgrade(
        self,
        license_id: str,
        *,
        license_type: LicenseType,
        payment_method: str,
        expected_amount: float | None = None,
        currency: str | None = None,
        idempotency_key: str | None = None,
    ) -> Order:
        """Upgrade or renew a license.

        Buys a higher license for the difference: the price of the higher license today, less the payments for the
        present license and those before it. With the same type it renews the license at today's price; this is possible
        from 90 days before its last day. Returns the order, whose license replaces the present one as soon as it is
        completed. With `expected_amount` and `currency`, it buys only at the amount that the buyer agreed to. A
        declined payment is an order, too. A repeated request with the same `Idempotency-Key` within 24 hours does not
        buy again.

        Args:
            license_id: Identifier of the license: the UUID in its certificate.
            license_type: A license higher than the present one; or the same one, to renew it.
            payment_method: How to pay: the payment provider's identifier of a payment method, never a card number. With
                Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa,
                pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover,
                pm_card_diners, pm_card_jcb, pm_card_unionpay, pm_card_authenticationRequired,
                pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined,
                pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard,
                pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
                pm_card_refundFail.
            expected_amount: The price that the buyer agreed to, in the currency's main unit. If the license has another
                price today, the order is 409 and nothing is charged.
            currency: The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order
                is 409.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        body = present(
            license_type=license_type, payment_method=payment_method, expected_amount=expected_amount, currency=currency
        )
        return self._client._object(
            operations.UPGRADE_LICENSE,
            Order,
            "order",
            path={"license_id": license_id},
            body=body,
            headers={"idempotency-key": idempotency_key},
        )
