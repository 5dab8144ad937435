<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * Whether a license allows a use, and why.
 *
 * @property-read string             $licenseId
 * @property-read string             $status     Of the license, today. One of Value\LicenseState, or a later value.
 * @property-read string|null        $replacedBy The license that replaced it by an upgrade or renewal: ask that one.
 *                                               Null without one, and until its certificate is issued.
 * @property-read string             $use
 * @property-read int                $quantity
 * @property-read string|null        $territory  As in the request; null for no certain country.
 * @property-read string             $on         The day of the answer.
 * @property-read string             $allowed    `unknown`: the terms do not speak of this use. One of Value\Allowance,
 *                                               or a later value.
 * @property-read LicenseReason|null $because    Null only if no clause comes near.
 * @property-read LicenseRemedy|null $remedy     The purchase that would allow the use; null unless the answer is no,
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
