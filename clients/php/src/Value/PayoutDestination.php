<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`PayoutDestination::BANK`), or convert one with `PayoutDestination::tryFrom($string)`.
 */
enum PayoutDestination: string
{
    case Bank = 'bank';
    case Stripe = 'stripe';

    public const BANK = 'bank';
    public const STRIPE = 'stripe';
}
