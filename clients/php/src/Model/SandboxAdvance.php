<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What happened in the sandbox while its clock advanced.
 *
 * @property-read Sandbox $sandbox
 * @property-read bool    $isComplete Whether the clock advanced by the whole duration. If not, send `remaining`.
 * @property-read string  $remaining  The remaining duration: the `by` of the next request.
 * @property-read int     $orders     The number of orders that simulated buyers placed.
 * @property-read int     $refunds    The number of refunds that simulated buyers requested.
 * @property-read int     $disputes   The number of disputes that banks of simulated buyers opened.
 * @property-read int     $payouts    The number of payouts that were sent to producers.
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
