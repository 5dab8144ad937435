<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The results of the analysis of a recording. A value that was not found is null.
 *
 * @property-read float|null  $bpm            Beats per minute; null if the recording has none.
 * @property-read float|null  $bpmConfidence  How sure the tempo is, from 0 to 1.
 * @property-read float|null  $bpmAlternative The next best tempo, often twice or half of it.
 * @property-read string|null $key            The musical key, such as `C# minor`; null if the recording has none.
 * @property-read float|null  $keyConfidence  How sure the key is, from 0 to 1.
 * @property-read string|null $keyAlternative The next best key.
 * @property-read int         $duration       In seconds.
 * @property-read string      $format         The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or
 *                                            `m4a`. The last three are lossy: licenses of such a recording bring no
 *                                            WAV.
 * @property-read int         $sampleRate     In Hz.
 * @property-read int         $channels
 * @property-read float|null  $loudnessLufs   Integrated loudness by EBU R128; null for silence.
 * @property-read float|null  $truePeakDbtp   The true peak in dBTP; null for silence.
 * @property-read int         $clippedSamples Samples in runs at full scale.
 * @property-read float       $silenceStart   Seconds of silence before the first sound.
 * @property-read float       $silenceEnd     Seconds of silence after the last sound.
 */
final class Analysis extends Model
{
    public const FIELDS = [
        'bpm' => ['bpm', 'float'],
        'bpmConfidence' => ['bpm_confidence', 'float'],
        'bpmAlternative' => ['bpm_alternative', 'float'],
        'key' => ['key'],
        'keyConfidence' => ['key_confidence', 'float'],
        'keyAlternative' => ['key_alternative'],
        'duration' => ['duration'],
        'format' => ['format'],
        'sampleRate' => ['sample_rate'],
        'channels' => ['channels'],
        'loudnessLufs' => ['loudness_lufs', 'float'],
        'truePeakDbtp' => ['true_peak_dbtp', 'float'],
        'clippedSamples' => ['clipped_samples'],
        'silenceStart' => ['silence_start', 'float'],
        'silenceEnd' => ['silence_end', 'float'],
    ];
}
