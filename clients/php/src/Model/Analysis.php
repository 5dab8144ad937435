<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The results of the analysis of a recording. An unknown value is null.
 *
 * @property-read float|null  $bpm            The tempo in beats per minute. Null if the recording has none.
 * @property-read float|null  $bpmConfidence  How sure the tempo is, from 0 to 1.
 * @property-read float|null  $bpmAlternative The second most likely tempo, often half or double of the first.
 * @property-read string|null $key            The musical key, such as `C# minor`. Null if the recording has none.
 * @property-read float|null  $keyConfidence  How sure the key is, from 0 to 1.
 * @property-read string|null $keyAlternative The second most likely key.
 * @property-read int         $duration       The duration in seconds.
 * @property-read string      $format         The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or
 *                                            `m4a`. The last three are lossy; licenses of such a recording include no
 *                                            WAV.
 * @property-read int         $sampleRate     The sample rate in Hz.
 * @property-read int         $channels
 * @property-read float|null  $loudnessLufs   The integrated loudness by EBU R128. Null for silence.
 * @property-read float|null  $truePeakDbtp   The true peak in dBTP. Null for silence.
 * @property-read int         $clippedSamples The number of samples in runs at full scale.
 * @property-read float       $silenceStart   The number of seconds of silence before the first sound.
 * @property-read float       $silenceEnd     The number of seconds of silence after the last sound.
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
