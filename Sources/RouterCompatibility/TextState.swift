/// The text of a title, a message or a label, with the name used in code with `AlertState`.
public typealias TextState = String
