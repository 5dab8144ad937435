# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.users+.
    class Users < Resource
      # Stands for "not given" where nil has a meaning of its own.
      UNCHANGED = Object.new.freeze
      private_constant :UNCHANGED

      # A public profile. Permission +users:read+.
      #
      # @param user_id [Integer, String]
      # @return [User]
      # @raise [NotFoundError] when there is no such user
      # @raise [BeatMarketError] when the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(user_id)
        response = perform("getUser", { user_id: })
        User.new(response.record("user"), response)
      end

      # Changes the public profile of the key's account. Permission +profile:write+. What is left out stays as it is; nil
      # clears a field.
      #
      # @param display_name [String] 1 to 100 characters; cannot be cleared
      # @param bio [String, nil] 1 to 2,000 characters
      # @param location [String, nil] 1 to 100 characters
      # @param website [String, nil] an address
      # @param avatar_url [String, nil] an address
      # @return [User] the profile after the change
      # @raise [InvalidRequestError] when a field is not what it should be
      # @raise [APIStatusError, APIConnectionError]
      def update_profile(
        display_name: UNCHANGED, bio: UNCHANGED, location: UNCHANGED, website: UNCHANGED, avatar_url: UNCHANGED
      )
        given = { display_name:, bio:, location:, website:, avatar_url: }.reject { |_, value| value.equal?(UNCHANGED) }
        response = perform("updateProfile", body: given)
        User.new(response.record("user"), response)
      end
    end
  end
end
