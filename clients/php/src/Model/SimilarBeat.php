<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat and why it is similar.
 *
 * @property-read Similarity $similarity
 */
final class SimilarBeat extends Beat
{
    public const FIELDS = [
        ...parent::FIELDS,
        'similarity' => ['similarity', Similarity::class],
    ];
}
