<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat with its details, and the names of the changed fields.
 *
 * @property-read string        $description
 * @property-read list<string>  $tags
 * @property-read list<License> $licenses
 * @property-read string|null   $waveformUrl The waveform of the whole beat, as JSON of audiowaveform's version 2. Null
 *                                           if there is none.
 * @property-read Analysis|null $analysis    The results of the analysis. Null if the recording was not analysed.
 * @property-read bool          $available   Whether a license of the beat is for sale.
 * @property-read list<string>  $changed     The names of the changed fields.
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
