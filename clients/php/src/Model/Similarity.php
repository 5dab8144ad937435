<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How similar a beat is, and why.
 *
 * @property-read float  $score                1 is a perfect match.
 * @property-read float  $tempoRatio           The octave in which this beat's tempo was compared: 0.5, 1 or 2; 2 when
 *                                             it is about twice as fast.
 * @property-read float  $bpmDifferencePercent Absolute difference of the tempi in that octave, two decimals.
 * @property-read string $keyRelation          On the circle of fifths; other also where a key is unknown. One of
 *                                             Value\KeyRelation, or a later value.
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
