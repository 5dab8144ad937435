<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The license of an order.
 *
 * @property-read string $id
 * @property-read string $url          The public page that says whether the license is valid.
 * @property-read string $jws          The facts of the certificate, signed (JWS, EdDSA) with a key of
 *                                     `/.well-known/jwks.json`.
 * @property-read string $type         One of Value\LicenseType, or a later value.
 * @property-read string $termsVersion The version of the terms at the time of the sale.
 * @property-read string $status       The status of the license: `expired` after its last day, `refunded` once the
 *                                     order is refunded in full, `replaced` after an upgrade or renewal. One of
 *                                     Value\LicenseStatus, or a later value.
 */
final class IssuedLicense extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'url' => ['url'],
        'jws' => ['jws'],
        'type' => ['type'],
        'termsVersion' => ['terms_version'],
        'status' => ['status'],
    ];
}
