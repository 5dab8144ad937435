<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How similar a beat is, and why.
 *
 * @property-read float  $score                The similarity. 1 is a perfect match.
 * @property-read float  $tempoRatio           This beat's tempo relative to the given beat: 0.5, 1 or 2. It is 2 if
 *                                             this beat is about twice as fast.
 * @property-read float  $bpmDifferencePercent The difference of the tempos in percent, after `tempoRatio` halves or
 *                                             doubles one of them, with two decimals.
 * @property-read string $keyRelation          The relation of the keys on the circle of fifths. `other` also if a key
 *                                             is unknown. One of Value\KeyRelation, or a later value.
 * @property-read bool   $sameGenre
 */
final class Similarity extends Model
{
    public const FIELDS = [
        'score' => ['score', 'float'],
        'tempoRatio' => ['tempo_ratio', 'float'],
        'bpmDifferencePercent' => ['bpm_difference_percent', 'float'],
        'keyRelation' => ['key_relation'],
        'sameGenre' => ['same_genre'],
    ];
}
