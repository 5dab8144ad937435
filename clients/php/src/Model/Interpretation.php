<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The filters that the service found in the text of a search, by parameter.
 *
 * @property-read string                     $q         The words of the search.
 * @property-read int|null                   $bpmMin
 * @property-read int|null                   $bpmMax
 * @property-read string|null                $key       The key, in the form of the parameter `key`.
 * @property-read float|null                 $priceMin
 * @property-read float|null                 $priceMax
 * @property-read array<string, string>|null $widened   The typed tempo and the wider range that was searched instead,
 *                                                      because nothing matches the tempo together with the rest.
 * @property-read array<string, string>|null $corrected The corrected words, each with its replacement.
 * @property-read list<string>|null          $ignored   The parts of the search text that were ignored, because nothing
 *                                                      matches them together with the rest.
 */
final class Interpretation extends Model
{
    public const FIELDS = [
        'q' => ['q'],
        'bpmMin' => ['bpm_min'],
        'bpmMax' => ['bpm_max'],
        'key' => ['key'],
        'priceMin' => ['price_min', 'float'],
        'priceMax' => ['price_max', 'float'],
        'widened' => ['widened'],
        'corrected' => ['corrected'],
        'ignored' => ['ignored'],
    ];
}
