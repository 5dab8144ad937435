<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Whether a license allows a use, and why.
 *
 * @property-read string             $licenseId
 * @property-read string             $status     The status of the license today. One of Value\LicenseState, or a later
 *                                               value.
 * @property-read string|null        $replacedBy The license that replaced this one by an upgrade or a renewal. Send the
 *                                               question for that one. Null if there is none, and until its certificate
 *                                               is issued.
 * @property-read string             $use
 * @property-read int                $quantity
 * @property-read string|null        $territory  The country in the request. Null if the request has none.
 * @property-read string             $on         The day that the answer is for.
 * @property-read string             $allowed    Whether the license allows the use. `unknown`: the terms do not mention
 *                                               this use. One of Value\Allowance, or a later value.
 * @property-read LicenseReason|null $because    The reason for the answer. Null only if no clause is about such a use.
 * @property-read LicenseRemedy|null $remedy     The purchase that would allow the use. Null unless the answer is no,
 *                                               and if no purchase would.
 */
final class LicenseVerdict extends Model
{
    public const FIELDS = [
        'licenseId' => ['license_id'],
        'status' => ['status'],
        'replacedBy' => ['replaced_by'],
        'use' => ['use'],
        'quantity' => ['quantity'],
        'territory' => ['territory'],
        'on' => ['on'],
        'allowed' => ['allowed'],
        'because' => ['because', LicenseReason::class],
        'remedy' => ['remedy', LicenseRemedy::class],
    ];
}
