<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\NotFoundException;
use BeatMarket\Http\Connection;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Fields;
use BeatMarket\Model\User;
use BeatMarket\Operation;
use BeatMarket\Page;

final class Users
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Gets the public profile of a user.
     *
     * @throws NotFoundException
     * @throws BeatMarketException
     */
    public function get(int|string $userId): User
    {
        $url = $this->connection->url(Operation::GetUser, ['user_id' => $userId]);

        return $this->connection->readOne($this->connection->get($url), 'user', User::class);
    }

    /**
     * Updates your own profile. Null clears a field; a field that is not passed is unchanged.
     *
     * @param string|Absent      $displayName at most 100 characters; cannot be cleared
     * @param string|Absent|null $bio         at most 2,000 characters
     * @param string|Absent|null $location    at most 100 characters
     * @param string|Absent|null $website     an http or https URL
     * @param string|Absent|null $avatarUrl   an http or https URL
     *
     * @return User the updated profile
     *
     * @throws BeatMarketException
     */
    public function updateProfile(
        string|Absent $displayName = Absent::Field,
        string|Absent|null $bio = Absent::Field,
        string|Absent|null $location = Absent::Field,
        string|Absent|null $website = Absent::Field,
        string|Absent|null $avatarUrl = Absent::Field,
    ): User {
        $fields = [
            'display_name' => $displayName,
            'bio' => $bio,
            'location' => $location,
            'website' => $website,
            'avatar_url' => $avatarUrl,
        ];
        $given = array_filter($fields, static fn (mixed $value): bool => $value !== Absent::Field);

        return $this->connection->readOne($this->connection->call(Operation::UpdateProfile, $given), 'user', User::class);
    }

    /**
     * Lists your own beats in every state, the latest made first.
     *
     * @param int|null    $page     from 1
     * @param int|null    $limit    beats on a page, 1 to 100; 20 by default
     * @param string|null $status   only beats with this status, one of Value\BeatStatus
     * @param int|null    $maxItems maximum number of beats in a foreach
     *
     * @return Page<BeatDetail>
     *
     * @throws BeatMarketException
     */
    public function myBeats(?int $page = null, ?int $limit = null, ?string $status = null, ?int $maxItems = null): Page
    {
        return Page::at(
            $this->connection->url(Operation::ListOwnBeats, query: ['page' => $page, 'limit' => $limit, 'status' => $status]),
            $this->connection,
            static fn (Fields $data): array => $data->models('beats', BeatDetail::class),
            $maxItems,
        );
    }
}
