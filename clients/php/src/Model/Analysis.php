<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** What was heard in a recording; null is what could not be told. */
final class Analysis extends Model
{
    /** Tempo in beats per minute. */
    public readonly ?float $bpm;

    /** 0 to 1. */
    public readonly ?float $bpmConfidence;

    /** The next best tempo, often twice or half of it. */
    public readonly ?float $bpmAlternative;

    /** Musical key such as "C# minor". */
    public readonly ?string $key;

    /** 0 to 1. */
    public readonly ?float $keyConfidence;

    /** The next best key. */
    public readonly ?string $keyAlternative;

    /** Whole seconds. */
    public readonly int $duration;

    /** What the file is by its bytes: wav, aiff, flac, mp3, ogg or m4a. The API may add values. */
    public readonly string $format;

    /** In Hz. */
    public readonly int $sampleRate;

    public readonly int $channels;

    /** Integrated loudness by EBU R128; null for silence. */
    public readonly ?float $loudnessLufs;

    /** Null for silence. */
    public readonly ?float $truePeakDbtp;

    /** Samples in runs at full scale. */
    public readonly int $clippedSamples;

    /** Seconds before the first sound. */
    public readonly float $silenceStart;

    /** Seconds after the last sound. */
    public readonly float $silenceEnd;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->bpm = $fields->optional('bpm', $fields->number(...));
        $this->bpmConfidence = $fields->optional('bpm_confidence', $fields->number(...));
        $this->bpmAlternative = $fields->optional('bpm_alternative', $fields->number(...));
        $this->key = $fields->stringOrNull('key');
        $this->keyConfidence = $fields->optional('key_confidence', $fields->number(...));
        $this->keyAlternative = $fields->stringOrNull('key_alternative');
        $this->duration = $fields->integer('duration');
        $this->format = $fields->string('format');
        $this->sampleRate = $fields->integer('sample_rate');
        $this->channels = $fields->integer('channels');
        $this->loudnessLufs = $fields->optional('loudness_lufs', $fields->number(...));
        $this->truePeakDbtp = $fields->optional('true_peak_dbtp', $fields->number(...));
        $this->clippedSamples = $fields->integer('clipped_samples');
        $this->silenceStart = $fields->number('silence_start');
        $this->silenceEnd = $fields->number('silence_end');
    }
}
