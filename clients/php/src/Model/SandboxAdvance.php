<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What an advance did.
 *
 * @property-read Sandbox $sandbox
 * @property-read bool    $isComplete False where the time of a call did not suffice.
 * @property-read string  $remaining  What is left, as `by` of the next call.
 * @property-read int     $orders     Orders that simulated buyers placed.
 * @property-read int     $refunds    Refunds that they wanted.
 * @property-read int     $disputes   Disputes that their banks opened.
 * @property-read int     $payouts    Payouts to producers that were sent.
 */
final class SandboxAdvance extends Model
{
    public const FIELDS = [
        'sandbox' => ['sandbox', Sandbox::class],
        'isComplete' => ['is_complete'],
        'remaining' => ['remaining'],
        'orders' => ['orders'],
        'refunds' => ['refunds'],
        'disputes' => ['disputes'],
        'payouts' => ['payouts'],
    ];
}
