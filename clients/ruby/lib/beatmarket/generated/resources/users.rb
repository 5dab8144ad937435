# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../../resource"
require_relative "../pages"

module BeatMarket
  # The parts of a {Client}.
  module Resources
    # +client.users+. Public profiles, and your own.
    class Users < Resource
      # List your beats. Returns the beats of the key's account in every state, drafts included, newest first, one page
      # at a time. Needs the permission +beats:write+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param status [String, Symbol, nil] Only beats with this status. One of +draft+, +processing+, +published+,
      #   +withdrawn+.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<BeatDetail>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def my_beats(page: nil, limit: nil, status: nil, max_items: nil)
        query = { page:, limit:, status: }
        pages("listOwnBeats", { "beats" => BeatDetail }, query, max_items)
      end

      # Get a user's profile. Returns the public profile of a user, producer or not. The profile has no e-mail address.
      # Needs the permission +users:read+.
      #
      # @param user_id [Integer, String] Identifier of the user.
      # @return [User]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(user_id)
        object(perform("getUser", "/users/#{@transport.segment(user_id)}"), User, "user")
      end

      # Change your profile. Changes the public profile of the key's account and returns it. An omitted field stays as
      # it is; nil clears it. Needs the permission +profile:write+.
      #
      # @param display_name [String] The name that is shown.
      # @param bio [String, nil]
      # @param location [String, nil]
      # @param website [String, nil]
      # @param avatar_url [String, nil]
      # @return [User]
      # @raise [APIStatusError, APIConnectionError]
      def update_profile(
        display_name: UNCHANGED, bio: UNCHANGED, location: UNCHANGED, website: UNCHANGED, avatar_url: UNCHANGED
      )
        fields = { display_name:, bio:, location:, website:, avatar_url: }
        object(perform("updateProfile", body: given(fields)), User, "user", EMPTY)
      end

      # List the producers whom you follow. Returns the profiles of the producers that the account follows, the newest
      # first, one page at a time. Needs the permission +users:read+.
      #
      # @param page [Integer, nil] The number of the page, from 1.
      # @param limit [Integer, nil] The number of results on a page. 1 to 100. Default: 20.
      # @param max_items [Integer, nil] Maximum number of records in an iteration.
      # @return [List<User>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def following(page: nil, limit: nil, max_items: nil)
        query = { page:, limit: }
        pages("listFollowing", { "users" => User }, query, max_items)
      end

      # Follow a producer. Follows a producer. If the account follows the producer already, +created_at+ stays. Needs
      # the permission +profile:write+.
      #
      # @param user_id [Integer, String] Identifier of the user.
      # @return [Follow]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def follow(user_id)
        object(perform("followUser", "/users/me/following/#{@transport.segment(user_id)}"), Follow, "follow", EMPTY)
      end

      # Unfollow a producer. Unfollows a producer. It is no error if the account does not follow the producer. Needs the
      # permission +profile:write+.
      #
      # @param user_id [Integer, String] Identifier of the user.
      # @return [Follow]
      # @raise [NotFoundError] if it does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def unfollow(user_id)
        object(perform("unfollowUser", "/users/me/following/#{@transport.segment(user_id)}"), Follow, "follow", EMPTY)
      end
    end
  end
end
