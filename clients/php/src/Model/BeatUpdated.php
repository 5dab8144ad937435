<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat with its details, and what changed in it.
 *
 * @property-read string        $description
 * @property-read list<string>  $tags
 * @property-read list<License> $licenses
 * @property-read string|null   $waveformUrl The waveform of the whole beat, as JSON of audiowaveform's version 2; null
 *                                           without one.
 * @property-read Analysis|null $analysis    The results of the analysis; null for a recording that was not analysed.
 * @property-read bool          $available   Whether licenses of it are for sale.
 * @property-read list<string>  $changed     Names of the fields that changed.
 */
final class BeatUpdated extends Beat
{
    public const FIELDS = [
        ...parent::FIELDS,
        'description' => ['description'],
        'tags' => ['tags'],
        'licenses' => ['licenses', [License::class]],
        'waveformUrl' => ['waveform_url'],
        'analysis' => ['analysis', Analysis::class],
        'available' => ['available'],
        'changed' => ['changed'],
    ];
}
