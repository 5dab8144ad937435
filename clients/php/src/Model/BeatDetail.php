<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat with its description, tags and licenses; one of your own with its status too.
 *
 * @property-read string               $description
 * @property-read list<string>         $tags
 * @property-read list<License>        $licenses
 * @property-read string               $updatedAt       ISO 8601, UTC, whole seconds.
 * @property-read string|null          $waveformUrl     The waveform of the whole beat, as JSON of audiowaveform's
 *                                                      version 2; null without one.
 * @property-read Analysis|null        $analysis        The results of the analysis; null for a recording that was not
 *                                                      analysed.
 * @property-read string|null          $status          Only for the beat's producer, like all fields below. One of
 *                                                      Value\BeatStatus, or a later value.
 * @property-read string|null          $bpmSource       The source of `bpm`; null while it is unknown. One of
 *                                                      Value\FieldSource, or a later value.
 * @property-read string|null          $keySource       The source of `key`; null while it is unknown. One of
 *                                                      Value\FieldSource, or a later value.
 * @property-read string|null          $previewTag      What is mixed into the preview: `default`, `none`, or the id of
 *                                                      an upload.
 * @property-read LicenseSettings|null $licenseSettings Which licenses are sold, and with which limits.
 * @property-read bool|null            $freeDownload    Whether the tagged MP3 is free for an address.
 * @property-read string|null          $publishAt       The moment of the planned publishing; null without one. It stays
 *                                                      until the beat is on sale, or could not be published.
 * @property-read string|null          $rejection       Why the last publishing failed, as a sentence; null if it did
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
