<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What a completed order brings.
 *
 * @property-read list<OrderFile> $files   What the license brings, in the order mp3, wav, stems, license. Empty once
 *                                         refunded in full.
 * @property-read IssuedLicense   $license
 */
final class OrderFiles extends Model
{
    public const FIELDS = [
        'files' => ['files', [OrderFile::class]],
        'license' => ['license', IssuedLicense::class],
    ];
}
