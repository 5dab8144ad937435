<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * An invoice or a credit note of an order.
 *
 * @property-read string $number    The number, such as `INV-2026-000042`, or `CN-2026-000007` for a credit note.
 * @property-read string $kind      The kind of the document. A `credit_note` cancels what was paid back. One of
 *                                  Value\InvoiceKind, or a later value.
 * @property-read string $issuedAt  When the document was issued, in UTC.
 * @property-read float  $amount    The amount with tax, positive in both kinds. At most two decimals.
 * @property-read string $currency  The currency, by ISO 4217.
 * @property-read string $filename  A name for the file: the number of the document.
 * @property-read string $url       The address of the PDF, which needs no key.
 * @property-read string $expiresAt When the link expires, in UTC.
 */
final class Invoice extends Model
{
    public const FIELDS = [
        'number' => ['number'],
        'kind' => ['kind'],
        'issuedAt' => ['issued_at'],
        'amount' => ['amount', 'float'],
        'currency' => ['currency'],
        'filename' => ['filename'],
        'url' => ['url'],
        'expiresAt' => ['expires_at'],
    ];
}
