<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** What was understood of a search, in the names of parameters; null where nothing was. */
final class Interpretation extends Model
{
    /** The words that were searched for. */
    public readonly string $q;

    public readonly ?int $bpmMin;
    public readonly ?int $bpmMax;

    /** As the parameter `key`. */
    public readonly ?string $key;

    /** @var array<array-key, mixed>|null what was searched for instead of a word, by the word */
    public readonly ?array $corrected;

    /** @var list<string>|null words that were left out, since nothing has all of them */
    public readonly ?array $ignored;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->q = $fields->string('q');
        $this->bpmMin = $fields->optional('bpm_min', $fields->integer(...));
        $this->bpmMax = $fields->optional('bpm_max', $fields->integer(...));
        $this->key = $fields->stringOrNull('key');
        $this->corrected = $fields->objectOrNull('corrected')?->wire;
        $this->ignored = $fields->optional('ignored', $fields->strings(...));
    }
}
