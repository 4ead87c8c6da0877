// Words from all ranks make a sentence: by arrival, or by rank.
// ranks: 3
// variant wrong: -DWRONG => message-race
// variant right: => pass
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* words[] = {"", "send", "receive"};
  char word[16] = "";
  if (rank > 0) {
    std::strcpy(word, words[rank]);
    MPI_Send(word, 16, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  } else {
    std::map<int, std::string> sentence;
    for (int i = 1; i < size; ++i) {
      MPI_Status status;
      MPI_Recv(word, 16, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifdef WRONG
      sentence[i] = word;
#else
      sentence[status.MPI_SOURCE] = word;
#endif
    }
    for (const auto& [at, text] : sentence) std::printf("%s ", text.c_str());
    std::printf("\n");
  }
  MPI_Finalize();
}
