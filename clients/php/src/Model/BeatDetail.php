<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat with its description, tags and licenses. Your own beats have their status, too.
 *
 * @property-read string               $description
 * @property-read list<string>         $tags
 * @property-read list<License>        $licenses
 * @property-read string               $updatedAt       A time in ISO 8601, UTC, whole seconds.
 * @property-read string|null          $waveformUrl     The waveform of the whole beat, as JSON of audiowaveform's
 *                                                      version 2. Null if there is none.
 * @property-read Analysis|null        $analysis        The results of the analysis. Null if the recording was not
 *                                                      analysed.
 * @property-read string|null          $status          The status of the beat. Only its producer gets this field and
 *                                                      those below. One of Value\BeatStatus, or a later value.
 * @property-read string|null          $bpmSource       The source of `bpm`. Null while it is unknown. One of
 *                                                      Value\FieldSource, or a later value.
 * @property-read string|null          $keySource       The source of `key`. Null while it is unknown. One of
 *                                                      Value\FieldSource, or a later value.
 * @property-read string|null          $previewTag      The tag that is mixed into the preview: `default`, `none`, or
 *                                                      the id of an upload.
 * @property-read LicenseSettings|null $licenseSettings Which licenses are sold, and with which limits.
 * @property-read bool|null            $freeDownload    Whether people who give an e-mail address get the tagged MP3 for
 *                                                      free.
 * @property-read string|null          $publishAt       The time of the planned publishing. Null if none is planned. It
 *                                                      stays until the beat is on sale or could not be published.
 * @property-read string|null          $rejection       Why the last publishing failed, as a sentence. Null if it did
 *                                                      not.
 */
final class BeatDetail extends Beat
{
    public const FIELDS = [
        ...parent::FIELDS,
        'description' => ['description'],
        'tags' => ['tags'],
        'licenses' => ['licenses', [License::class]],
        'updatedAt' => ['updated_at'],
        'waveformUrl' => ['waveform_url'],
        'analysis' => ['analysis', Analysis::class],
        'status' => ['status'],
        'bpmSource' => ['bpm_source'],
        'keySource' => ['key_source'],
        'previewTag' => ['preview_tag'],
        'licenseSettings' => ['license_settings', LicenseSettings::class],
        'freeDownload' => ['free_download'],
        'publishAt' => ['publish_at'],
        'rejection' => ['rejection'],
    ];
}
