<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`InvoiceKind::INVOICE`), or convert one with `InvoiceKind::tryFrom($string)`.
 */
enum InvoiceKind: string
{
    case Invoice = 'invoice';
    case CreditNote = 'credit_note';

    public const INVOICE = 'invoice';
    public const CREDIT_NOTE = 'credit_note';
}
