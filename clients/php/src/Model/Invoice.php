<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * An invoice or a credit note of an order.
 *
 * @property-read string $number    `INV-2026-000042`, or `CN-2026-000007` of a credit note.
 * @property-read string $kind      `credit_note` takes back what was paid. One of Value\InvoiceKind, or a later value.
 * @property-read string $issuedAt  UTC time.
 * @property-read float  $amount    Tax included; positive in both kinds. At most two decimals.
 * @property-read string $currency  ISO 4217 code.
 * @property-read string $filename  A name for the file: its number.
 * @property-read string $url       The PDF. The link needs no key.
 * @property-read string $expiresAt When the link ends; UTC time.
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
