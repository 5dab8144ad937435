<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * What was understood of a search, in the names of parameters.
 *
 * @property-read string                     $q         The words that were searched for.
 * @property-read int|null                   $bpmMin
 * @property-read int|null                   $bpmMax
 * @property-read string|null                $key       In the form of the parameter `key`.
 * @property-read float|null                 $priceMin
 * @property-read float|null                 $priceMax
 * @property-read array<string, string>|null $widened   The typed tempo, and the range that was searched instead,
 *                                                      because nothing has the tempo together with the rest.
 * @property-read array<string, string>|null $corrected Corrections: the replacement of each corrected word.
 * @property-read list<string>|null          $ignored   Parts of the search text that were left out, because nothing
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
