/// The settings of remembered answers.
package struct GrantPolicy: Sendable, Hashable {
  /// The maximum duration of a remembered answer; zero if answers are never remembered.
  package var longest: Duration
  /// Whether an answer may be remembered without an end.
  package var always = false
  /// The days after which a grant without an end, if unused, ends; zero for never.
  package var unusedDays = 90
  /// Whether a grant without an end covers a command only while its program's file is unchanged.
  package var checksPrograms = false
  /// The maximum number of a user's grants.
  package var perUser: Int
  /// The maximum number of a user's requests that grants may answer per minute.
  package var perMinute: Int
  /// The verbs that a grant may cover as a whole.
  package var verbs: Set<String>
  /// The commands that an answer or a rule may cover with varying arguments.
  package var commands = CommandTable.standard

  package init(longest: Duration = .zero, perUser: Int = 1024, perMinute: Int = 600, verbs: Set<String> = []) {
    (self.longest, self.perUser, self.perMinute, self.verbs) = (longest, perUser, perMinute, verbs)
  }
}
