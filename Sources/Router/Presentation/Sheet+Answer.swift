extension Sheet {
  /// A person's answer in the sheet's own type.
  ///
  /// - Parameter designation: What an error calls the sheet: `the sheet settings`.
  func answer(from answer: PresentationAnswer, calledBy designation: String) throws -> Answer {
    guard case .value(let value) = answer else {
      throw RouterError(.invalid, "cannot read the answer to \(designation): it is not a value")
    }
    do {
      return try value.decode(Answer.self)
    } catch {
      throw RouterError(.invalid, "cannot read the answer to \(designation) as \(Answer.self)", cause: error)
    }
  }
}
