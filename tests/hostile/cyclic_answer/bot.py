"""Return a list that holds itself."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        answer = []
        answer.append(answer)
        return answer

    @classmethod
    def encode(cls, kind, answer):
        return answer
