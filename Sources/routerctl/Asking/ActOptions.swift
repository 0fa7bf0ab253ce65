import ArgumentParser
import Router
import RouterCommandLine

/// Options for an alert's act, and for remembering the answer.
struct ActOptions: PlainArguments {
  @Option(help: ArgumentHelp("What would happen, as a word such as deploy. The prompt shows it.", valueName: "verb"))
  var actVerb: String?

  @Option(help: ArgumentHelp("What it applies to, such as a path or a target.", valueName: "text"))
  var actObject: String?

  @Option(help: ArgumentHelp("The directory in which it happens.", valueName: "path"))
  var actDirectory: String?

  @OptionGroup var authority: AuthorityOptions

  mutating func read(_ line: inout PlainOptions) {
    (actVerb, actObject) = (line.value("--act-verb"), line.value("--act-object"))
    actDirectory = line.value("--act-directory")
    authority = line.group()
  }

  func validate() throws {
    if actVerb == nil, actObject != nil || actDirectory != nil || authority.remember != nil {
      throw ValidationError("Pass --act-verb with the other options of an act.")
    }
  }

  func add(to request: inout PresentationRequest) {
    authority.add(to: &request, matches: [.exact, .under, .verb])
    guard let actVerb else { return }
    request.act = Act(actVerb, object: actObject, directory: actDirectory)
  }
}

/// Options for approvers, and for how long the answer may be remembered.
struct AuthorityOptions: PlainArguments {
  @Option(
    help: ArgumentHelp(
      "Ask this many people, other than you, and perhaps only those of a list of the daemon's approvers.",
      valueName: "count[:list]"))
  var require: RequireArgument?

  @Option(
    help: ArgumentHelp(
      "Let the person have the answer remembered for this act: session, always, or times such as 15m, 1h; comma-separated.",
      valueName: "times"), completion: .list(["session", "15m", "1h", "always"]))
  var remember: RememberArgument?

  mutating func read(_ line: inout PlainOptions) {
    (require, remember) = (line.value("--require"), line.value("--remember"))
  }

  func add(to request: inout PresentationRequest, matches: [PresentationRequest.Remember.Match]) {
    request.require = require?.requirement
    request.remember = remember.map { PresentationRequest.Remember(matches: matches, periods: $0.periods) }
  }
}

/// The number of approvals: `2`, or `2:ops`.
struct RequireArgument: ExpressibleByArgument, Sendable, Hashable {
  let requirement: PresentationRequest.Requirement

  init?(argument: String) {
    let parts = argument.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let count = Int(parts[0]), (2...16).contains(count), parts.last != "" else { return nil }
    requirement = PresentationRequest.Requirement(count, from: Array(parts.dropFirst()))
  }
}

/// Times for which an answer may be remembered.
struct RememberArgument: ExpressibleByArgument, Sendable, Hashable {
  let periods: [PresentationRequest.Remember.Period]

  init?(argument: String) {
    let words = argument.split(at: ",", omittingEmptySubsequences: false).map(String.init)
    periods = words.compactMap { word -> PresentationRequest.Remember.Period? in
      if let named = PresentationRequest.Remember.Period(named: word) { return named }
      guard let seconds = DurationArgument(argument: word)?.duration.wholeSeconds, seconds >= 60 else { return nil }
      return .seconds(Int(seconds))
    }
    if periods.count != words.count { return nil }
  }
}
