<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Model\Follow;
use BeatMarket\Model\User;
use BeatMarket\Page;
use BeatMarket\Value\BeatStatus;

/** Public profiles, and your own. */
final class Users
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the beats of the key's account in every state, drafts included, newest first, one page at a time.
     *
     * Needs the permission beats:write.
     *
     * @param int|null               $page     The number of the page, from 1.
     * @param int|null               $limit    The number of results on a page (1 to 100; default: 20).
     * @param BeatStatus|string|null $status   Only beats with this status. One of Value\BeatStatus.
     * @param int|null               $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<BeatDetail>
     *
     * @throws BeatMarketException
     */
    public function myBeats(
        ?int $page = null,
        ?int $limit = null,
        BeatStatus|string|null $status = null,
        ?int $maxItems = null,
    ): Page {
        return new Page(
            $this->connection,
            new Call(Operation::ListOwnBeats, query: ['page' => $page, 'limit' => $limit, 'status' => $status]),
            ['beats' => BeatDetail::class],
            $maxItems,
        );
    }

    /**
     * Returns the public profile of a user, producer or not. The profile has no e-mail address.
     *
     * Needs the permission users:read.
     *
     * @param int|string $userId Identifier of the user.
     *
     * @throws BeatMarketException
     */
    public function get(int|string $userId): User
    {
        return $this->connection->object(
            new Call(Operation::GetUser, ids: ['user_id' => $userId]),
            User::class,
            'user',
        );
    }

    /**
     * Changes the public profile of the key's account and returns it. An omitted field stays as it is; null clears it.
     *
     * Needs the permission profile:write.
     *
     * @param string|Absent      $displayName The name that is shown.
     * @param string|Absent|null $bio
     * @param string|Absent|null $location
     * @param string|Absent|null $website
     * @param string|Absent|null $avatarUrl
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
        return $this->connection->object(
            new Call(
                Operation::UpdateProfile,
                body: [
                    'display_name' => $displayName,
                    'bio' => $bio,
                    'location' => $location,
                    'website' => $website,
                    'avatar_url' => $avatarUrl,
                ],
            ),
            User::class,
            'user',
        );
    }

    /**
     * Returns the profiles of the producers that the account follows, the newest first, one page at a time.
     *
     * Needs the permission users:read.
     *
     * @param int|null $page     The number of the page, from 1.
     * @param int|null $limit    The number of results on a page (1 to 100; default: 20).
     * @param int|null $maxItems Maximum number of items, of this page and in a foreach.
     *
     * @return Page<User>
     *
     * @throws BeatMarketException
     */
    public function following(?int $page = null, ?int $limit = null, ?int $maxItems = null): Page
    {
        return new Page(
            $this->connection,
            new Call(Operation::ListFollowing, query: ['page' => $page, 'limit' => $limit]),
            ['users' => User::class],
            $maxItems,
        );
    }

    /**
     * Follows a producer. If the account follows the producer already, `createdAt` stays.
     *
     * Needs the permission profile:write.
     *
     * @param int|string $userId Identifier of the user.
     *
     * @throws BeatMarketException
     */
    public function follow(int|string $userId): Follow
    {
        return $this->connection->object(
            new Call(Operation::FollowUser, ids: ['user_id' => $userId]),
            Follow::class,
            'follow',
        );
    }

    /**
     * Unfollows a producer. It is no error if the account does not follow the producer.
     *
     * Needs the permission profile:write.
     *
     * @param int|string $userId Identifier of the user.
     *
     * @throws BeatMarketException
     */
    public function unfollow(int|string $userId): Follow
    {
        return $this->connection->object(
            new Call(Operation::UnfollowUser, ids: ['user_id' => $userId]),
            Follow::class,
            'follow',
        );
    }
}
