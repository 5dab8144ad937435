<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** How similar a beat is to the requested one, and why. */
final class Similarity extends Model
{
    /** 0 to 1; 1 is a perfect match. */
    public readonly float $score;

    /** The octave in which the tempo was compared, 0.5, 1 or 2: 2 when it is about twice as fast. */
    public readonly float $tempoRatio;

    /** Absolute difference of the tempi in that octave; two decimals. */
    public readonly float $bpmDifferencePercent;

    /** One of Value\KeyRelation; the API may add values. */
    public readonly string $keyRelation;

    public readonly bool $sameGenre;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->score = $fields->number('score');
        $this->tempoRatio = $fields->number('tempo_ratio');
        $this->bpmDifferencePercent = $fields->number('bpm_difference_percent');
        $this->keyRelation = $fields->string('key_relation');
        $this->sameGenre = $fields->boolean('same_genre');
    }
}
